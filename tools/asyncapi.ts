// Writes docs/asyncapi.json from the contract's schemas and the examples of docs/gateway-protocol.md: node tools/asyncapi.ts
import { readFileSync, writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { down, topic, up } from '../contract/gateway-protocol.ts'

const page = new URL('../docs/gateway-protocol.md', import.meta.url)
const target = new URL('../docs/asyncapi.json', import.meta.url)

type Way = 'up' | 'down'
const schemas = { up, down }
export const messages = (['up', 'down'] as const).flatMap((way) =>
  Object.entries(schemas[way]).map(([kind, schema]) => ({ way, kind, schema, name: `${way}${kind[0]!.toUpperCase()}${kind.slice(1)}` })),
)

/** The JSON blocks of the manual, which name their message: ```json up/state. */
export const examples = () =>
  [...readFileSync(page, 'utf8').matchAll(/```json (up|down)\/(\w+)\n(.*?)```/gs)].map(([, way, kind, text]) => ({
    way: way as Way,
    kind: kind!,
    payload: JSON.parse(text!) as unknown,
  }))

const SN = { description: 'Serial number of the gateway: 8 to 32 upper-case letters and digits.' }

export const asyncApi = () => {
  const shown = examples()
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Penstock gateway protocol',
      version: '1',
      description: 'JSON over MQTT between gateways and the server, as the server sees it. docs/gateway-protocol.md is the manual.',
      license: { name: 'Apache-2.0' },
    },
    defaultContentType: 'application/json',
    servers: {
      penstock: {
        host: '{host}',
        protocol: 'mqtt',
        protocolVersion: '3.1.1',
        variables: { host: { default: 'localhost:8421', description: 'As the console shows it with the key of a gateway.' } },
        security: [{ $ref: '#/components/securitySchemes/key' }],
      },
    },
    channels: Object.fromEntries(
      messages.map(({ way, kind, name }) => [
        name,
        { address: topic('{SN}', way, kind), parameters: { SN }, messages: { [name]: { $ref: `#/components/messages/${name}` } } },
      ]),
    ),
    operations: Object.fromEntries(
      messages.map(({ way, kind, name }) => [
        name,
        {
          action: way === 'up' ? 'receive' : 'send',
          channel: { $ref: `#/channels/${name}` },
          messages: [{ $ref: `#/channels/${name}/messages/${name}` }],
          bindings: { mqtt: { qos: 1, retain: way === 'up' && kind === 'state' } },
        },
      ]),
    ),
    components: {
      messages: Object.fromEntries(
        messages.map(({ way, kind, name, schema }) => [
          name,
          {
            name,
            title: `${way}/${kind}`,
            payload: schema,
            examples: shown.filter((e) => e.way === way && e.kind === kind).map(({ payload }) => ({ payload })),
          },
        ]),
      ),
      securitySchemes: { key: { type: 'userPassword', description: 'User and client id are the SN, the password is the key.' } },
    },
  }
}
export const asyncApiText = () => `${JSON.stringify(asyncApi(), null, 1)}\n`
export const committed = () => readFileSync(target, 'utf8')

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) writeFileSync(target, asyncApiText())
