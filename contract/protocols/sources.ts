// A protocol that people describe, and a plugin.
import { misread, type Parsed, protocol } from './protocol.ts'

const asItIs = (text: string): Parsed<string> => ({ address: text, key: text })

export const described = protocol({
  ...{ number: 200, name: 'described', polls: true, listens: false, port: 4001, unused: ['RegisterType', 'ParaDataType'] as const },
  targets: { dials: 'described', dialled: 'described-dialled', serial: 'described-serial' },
  example: 'flow',
  parse: (text) => (/^[A-Za-z_]\w{0,49}$/.test(text) ? asItIs(text) : misread(text, /^([A-Za-z_]\w{0,49})?/)),
})
export const plugin = protocol({
  ...{ number: 201, name: 'plugin', polls: true, listens: true, targets: { dials: 'plugin' } },
  example: 'value',
  parse: (text) => (text.trim() ? asItIs(text) : { at: 0 }),
  unused: ['RegisterType'],
})
