// BACnet/IP: an object of a device by type and instance, perhaps one of its properties (ANSI/ASHRAE 135, annex J).
import { flag, number } from '../field.ts'
import { misread, type Parsed, protocol } from './protocol.ts'

/** Numbers of types and properties, as on the wire. */
export type ObjectAddress = { object: number; instance: number; property: number }
const [last, lastType, lastProperty] = [4_194_302, 1023, 4_194_303]

export const objectTypes: Readonly<Record<string, number>> = {
  ...{ analogInput: 0, analogOutput: 1, analogValue: 2, binaryInput: 3, binaryOutput: 4, binaryValue: 5, device: 8, loop: 12 },
  ...{ multiStateInput: 13, multiStateOutput: 14, averaging: 18, multiStateValue: 19, accumulator: 23, pulseConverter: 24 },
  ...{ characterstringValue: 40, integerValue: 45, largeAnalogValue: 46, positiveIntegerValue: 48, lightingOutput: 54 },
}
export const properties: Readonly<Record<string, number>> = {
  ...{ covIncrement: 22, deadband: 25, elapsedActiveTime: 33, eventState: 36, highLimit: 45, lowLimit: 59, maxPresValue: 65 },
  ...{ minPresValue: 69, numberOfStates: 74, outOfService: 81, polarity: 84, presentValue: 85, reliability: 103 },
  ...{ relinquishDefault: 104, resolution: 106, setpoint: 108, statusFlags: 111, systemStatus: 112, units: 117, updateInterval: 118 },
  ...{ changeOfStateCount: 15, controlledVariableValue: 21, manipulatedVariableReference: 60, pulseRate: 186, scale: 187 },
}
const numberOf = (table: Readonly<Record<string, number>>, name: string, most: number) =>
  /^\d+$/.test(name) ? (Number(name) <= most ? Number(name) : undefined) : Object.hasOwn(table, name) ? table[name] : undefined

const name = String.raw`(?:[a-z][A-Za-z]{1,40}|\d{1,7})`
const whole = new RegExp(String.raw`^(${name}):(\d{1,7})(?:/(${name}))?$`)
/** `200:3/512` names types and properties of a vendor by number. */
const parse = (text: string): Parsed<ObjectAddress> | { at: number } => {
  const [, type, instance, named = 'presentValue'] = whole.exec(text) ?? []
  if (type === undefined) return misread(text, /^(([a-z][A-Za-z]{0,40}|\d{1,7})(:(\d{1,7}(\/([a-z][A-Za-z]{0,40}|\d{0,7})?)?)?)?)?/)
  const object = numberOf(objectTypes, type, lastType)
  if (object === undefined) return { at: 0 }
  if (Number(instance) > last) return { at: text.indexOf(':') + 1 }
  const property = numberOf(properties, named, lastProperty)
  if (property === undefined) return { at: text.indexOf('/') + 1 }
  return { address: { object, instance: Number(instance), property }, key: `${object}:${Number(instance)}/${property}` }
}

export const bacnet = protocol({
  ...{ number: 90, name: 'bacnet', browses: true as const, polls: true, listens: true, port: 47_808, targets: { dials: 'bacnet' } },
  isShared: true,
  channel: {
    /** The address is a BBMD, and this gateway registers there: annex J.5. */
    IsForeign: flag({ default: 0 }),
    /** Our own port. Devices answer a search at the usual one. */
    LocalPort: number({ integer: true, min: 0, max: 65_535, default: 47_808 }),
  },
  device: {
    Instance: number({ required: true, integer: true, min: 0, max: last }),
    WritePriority: number({ integer: true, min: 1, max: 16, default: 16 }),
  },
  example: 'analogInput:3',
  parse,
  unused: ['RegisterType', 'SlaveNumber', 'ParaDataType'],
})
