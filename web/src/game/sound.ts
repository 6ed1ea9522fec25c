// SPDX-License-Identifier: GPL-3.0-or-later
//
// Sounds made on the spot: wood on wood for moves, small bells for the rest. No files.
import { prefs } from "../app/prefs";

export type Sound = "move" | "capture" | "check" | "low" | "offer" | "chat" | "start" | "end";

let context: AudioContext | null = null;

// Browsers let a page sound only after it was touched.
function audio(): AudioContext | null {
  if (typeof AudioContext === "undefined") return null;
  context ??= new AudioContext();
  if (context.state === "suspended") void context.resume();
  return context;
}

function knock(a: AudioContext, at: number, pitch: number, loud: number): void {
  const length = 0.09;
  const noise = a.createBuffer(1, a.sampleRate * length, a.sampleRate);
  const data = noise.getChannelData(0);
  for (let i = 0; i < data.length; i++) data[i] = (Math.random() * 2 - 1) * Math.exp(-i / (a.sampleRate * 0.012));
  const source = a.createBufferSource();
  source.buffer = noise;
  const filter = a.createBiquadFilter();
  filter.type = "bandpass";
  filter.frequency.value = pitch;
  filter.Q.value = 2.5;
  const gain = a.createGain();
  gain.gain.value = loud;
  source.connect(filter).connect(gain).connect(a.destination);
  source.start(at);
}

function bell(a: AudioContext, at: number, pitch: number, loud: number): void {
  const tone = a.createOscillator();
  tone.frequency.value = pitch;
  const gain = a.createGain();
  gain.gain.setValueAtTime(0, at);
  gain.gain.linearRampToValueAtTime(loud, at + 0.01);
  gain.gain.exponentialRampToValueAtTime(0.0001, at + 0.5);
  tone.connect(gain).connect(a.destination);
  tone.start(at);
  tone.stop(at + 0.55);
}

export function play(sound: Sound): void {
  if (!prefs.get().sound) return;
  const a = audio();
  if (!a) return;
  const loud = (prefs.get().volume / 70) ** 2; // as loud as they were made at 70
  const now = a.currentTime + 0.01;
  switch (sound) {
    case "move":
      return knock(a, now, 900, 1.6 * loud);
    case "capture":
      knock(a, now, 1300, 1.6 * loud);
      return knock(a, now + 0.07, 700, 1.8 * loud);
    case "check":
      knock(a, now, 900, 1.6 * loud);
      return bell(a, now + 0.05, 880, 0.08 * loud);
    case "low":
      bell(a, now, 1175, 0.07 * loud);
      return bell(a, now + 0.18, 1175, 0.07 * loud);
    case "offer":
      bell(a, now, 523, 0.07 * loud);
      return bell(a, now + 0.14, 659, 0.07 * loud);
    case "chat":
      return bell(a, now, 784, 0.05 * loud);
    case "start":
      bell(a, now, 392, 0.07 * loud);
      return bell(a, now + 0.16, 587, 0.07 * loud);
    case "end":
      bell(a, now, 392, 0.08 * loud);
      bell(a, now + 0.18, 494, 0.08 * loud);
      return bell(a, now + 0.36, 587, 0.08 * loud);
  }
}
