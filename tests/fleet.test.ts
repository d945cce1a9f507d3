// Behaviours of gateways and foreign senders once more, with a gateway process and NATS between them and the server.
// The same for any other file: IN_A_FLEET=1 npx vitest run --project=server tests/gateway-protocol
import { afterAll, beforeAll, describe } from 'vitest'
import { hasNats } from '../main/testing/nats.ts'

const files = ['gateway-session', 'foreign-sparkplug']

describe.skipIf(!hasNats)('in a fleet (skipped without nats-server)', async () => {
  beforeAll(() => {
    process.env.IN_A_FLEET = '1'
  })
  afterAll(() => {
    delete process.env.IN_A_FLEET
  })
  // A separate module, because this process may have loaded the file itself.
  for (const file of files) await describe(file, () => import(`./${file}.test.ts?in-a-fleet`))
})
