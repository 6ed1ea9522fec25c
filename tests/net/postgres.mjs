// SPDX-License-Identifier: GPL-3.0-or-later
// The program on PostgreSQL: with JADOUBE_TEST_DATABASE each data directory has a schema of its own there, and the
// program finds it by its environment.
import { execFileSync } from "node:child_process";
import { basename } from "node:path";

const database = process.env.JADOUBE_TEST_DATABASE;
export const onPostgres = database !== undefined;

// What the program's environment needs for these arguments.
export function databaseOf(args) {
  const data = args[args.indexOf("--data") + 1];
  if (!onPostgres || !args.includes("--data")) return {};
  const schema = basename(data);
  execFileSync("psql", ["-q", "-d", database, "-c", `SET client_min_messages = warning; CREATE SCHEMA IF NOT EXISTS "${schema}"`]);
  return { JADOUBE_DATABASE: `${database}&options=-csearch_path%3D"${schema}"` };
}
