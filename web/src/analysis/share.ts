// SPDX-License-Identifier: GPL-3.0-or-later
//
// A study in a link: the PGN, deflated, behind the "#" of the address, which browsers send to nobody.
const LINK_MAX = 8000; // characters; longer addresses get lost in letters and chats

const toBase64Url = (bytes: Uint8Array): string => {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
};

const fromBase64Url = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (c) => c.charCodeAt(0));

async function through(bytes: Uint8Array<ArrayBuffer>, stream: CompressionStream | DecompressionStream): Promise<Uint8Array<ArrayBuffer>> {
  const piped = new Blob([bytes]).stream().pipeThrough(stream as unknown as ReadableWritablePair<Uint8Array, Uint8Array>);
  return new Uint8Array(await new Response(piped as ReadableStream).arrayBuffer());
}

// null: too long for a link.
export async function linkOf(pgn: string): Promise<string | null> {
  const bytes = new TextEncoder().encode(pgn) as Uint8Array<ArrayBuffer>;
  const packed = toBase64Url(await through(bytes, new CompressionStream("deflate-raw")));
  const link = `${location.origin}/analysis#pgn=${packed}`;
  return link.length <= LINK_MAX ? link : null;
}

export async function pgnOfHash(hash: string): Promise<string | null> {
  const packed = /^#pgn=([\w-]+)$/.exec(hash)?.[1];
  if (!packed || packed.length > LINK_MAX) return null;
  try {
    const bytes = await through(fromBase64Url(packed), new DecompressionStream("deflate-raw"));
    return new TextDecoder().decode(bytes.subarray(0, 512 * 1024 - 16));
  } catch {
    return null;
  }
}
