// What a parse script is given and what it may answer. `sandbox/` runs it.

/** How a script gets the payload of a message: parsed, as text, or as bytes. */
export const inputs = ['json', 'text', 'bytes'] as const
export type Input = (typeof inputs)[number]
/** Characters of a script. */
export const longestScript = 65_536

/** Why a script gave nothing. Words at `script.<reason>`. */
export const scriptFaults = [
  ...(['syntax', 'thrown', 'timeout', 'memory', 'noFunction', 'promise', 'shape', 'tooLarge', 'notJson'] as const),
  /** It is switched off after errors in a row; too many messages wait; its process ended. */
  ...(['off', 'busy', 'crashed'] as const),
] as const
export type ScriptFault = {
  reason: (typeof scriptFaults)[number]
  text: string
  /** From 1; null where the place is not known. */
  line: number | null
  column: number | null
}

/** Times of arrival, and who sent it. */
export type Meta = { time: number; gateway: string; device: string }
export type Write = { Device: string; Key: string; Value: number }
export type ScriptReading = { device: string; key: string; time: number | null; value: number; quality?: 1 }
export type ScriptEvent = { Text: string; Level: 0 | 1 | 2 | 3 }
/** A write as the device understands it; bytes as hex. */
export type Encoded = { topic: string; payload: string | { hex: string } }
export type Outcome = {
  readings: ScriptReading[]
  /** Values that are none, by what they are. */
  wrong: { reason: 'notANumber' | 'noName' | 'noTime' | 'tooMany'; text: string }[]
  events: ScriptEvent[]
  encoded?: Encoded
  fault?: ScriptFault
  /** What it wrote while it was tested. */
  lines: string[]
  /** Milliseconds of the processor. */
  ms: number
}
