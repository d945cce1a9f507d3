// What a stranger's connection may do: neither its end nor its headers stop the server for others.
import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type House, startHouse } from '../house.ts'

let house: House
beforeAll(async () => {
  house = await startHouse()
})
afterAll(() => house?.close())

it.each(['/', '/api/nothing', '/api/hubs/sysmsghub', '/api/hubs/sysmsghub?id=x'])(
  'a connection that asks for an upgrade of %s and is reset does not end the process',
  async (path) => {
    for (let i = 0; i < 5; i++) {
      const socket = connect(Number(new URL(house.origin).port), '127.0.0.1')
      await once(socket, 'connect')
      socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n`)
      socket.resetAndDestroy()
      await once(socket, 'close')
    }
    // An unhandled error fails the run, as it would end the server.
    expect((await fetch(`${house.origin}/healthz`)).status).toBe(200)
  },
)

it('a signature of any form is read in a time that grows with its length only', { timeout: 240_000 }, async () => {
  const forms = ['a'.repeat(15_500), `${'a'.repeat(15_000)}=`]
  // By the square of the length, these took a quarter of a second each.
  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, i) =>
      fetch(`${house.origin}/api/Project/Project/List`, { headers: { authorization: `PENSTOCK-HMAC-SHA256 ${forms[i % forms.length]}.` } }),
    ),
  )
  expect(new Set(answers.map(({ status }) => status)).difference(new Set([401, 429]))).toEqual(new Set())
})
