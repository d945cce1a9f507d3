import { DriverFault } from '../driver.ts'
import { exceptionNames, type Frame, functionNames } from './frames.ts'

/** Describes a request or an answer in the terms of [APP]. */
export const meaningOf = (unit: number, pdu: Buffer) => {
  const fn = pdu[0]! & 0x7f
  const name = functionNames[fn] ?? `function ${fn}`
  return `unit ${unit}: ${pdu[0]! & 0x80 ? `${name} refused, ${exceptionNames[pdu[1] ?? 0] ?? 'exception'}` : name}`
}

/** The PDU of a reply, or the refusal. @throws Error if it answers another request */
export const replyOf = ({ unit, pdu }: Pick<Frame, 'unit' | 'pdu'>, asked: { unit: number; fn: number }): Buffer | DriverFault => {
  const fn = pdu[0]! & 0x7f
  if (unit !== asked.unit || fn !== asked.fn) throw new Error(`unit ${unit}, function ${fn} answered instead of ${asked.unit}, ${asked.fn}`)
  if (!(pdu[0]! & 0x80)) return pdu
  const code = pdu[1] ?? 0
  return new DriverFault(code === 2 ? 'address' : 'refused', `the device answered exception ${code} (${exceptionNames[code] ?? 'unknown'})`)
}
