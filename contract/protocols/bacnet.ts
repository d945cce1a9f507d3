// BACnet/IP: an object of a device by type and instance, perhaps one of its properties.
import { number } from '../field.ts'
import { misread, type Parsed, protocol } from './protocol.ts'

export type ObjectAddress = { object: string; instance: number; property: string | undefined }
const last = 4_194_302
const parse = (text: string): Parsed<ObjectAddress> | { at: number } => {
  const [, object, instance, property] = /^([a-z][A-Za-z]{1,40}):(\d{1,7})(?:\/([a-z][A-Za-z]{1,40}))?$/.exec(text) ?? []
  if (object === undefined) return misread(text, /^([a-z][A-Za-z]{0,40}(:(\d{1,7}(\/([a-z][A-Za-z]{0,40})?)?)?)?)?/)
  if (Number(instance) > last) return { at: text.indexOf(':') + 1 }
  return { address: { object, instance: Number(instance), property }, key: `${object}:${Number(instance)}/${property ?? ''}` }
}

export const bacnet = protocol({
  ...{ number: 90, name: 'bacnet', browses: true as const, polls: true, listens: true, port: 47_808, targets: { dials: 'bacnet' } },
  isShared: true,
  device: { Instance: number({ required: true, integer: true, min: 0, max: last }) },
  example: 'analogInput:3',
  parse,
  unused: ['RegisterType', 'SlaveNumber', 'ParaDataType'],
})
