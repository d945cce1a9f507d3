// A program that signs its calls signs their bodies, files too. A body that is another is refused, and nothing else happens.
import { createHash, createHmac, randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { hmacScheme, signingLabel, stringToSign } from '../../contract/signature.ts'
import { type House, startHouse } from '../house.ts'

let house: House
let program: { AccessKey: string; Secret: string }
const uncaught: unknown[] = []
const note = (error: unknown) => uncaught.push(error)
beforeAll(async () => {
  process.on('uncaughtException', note)
  house = await startHouse()
  const made = await house.data<{ Id: number; AccessKey: string; Secret: string }>('POST', '/System/Api', { ApiName: 'Signer' })
  await house.data('POST', '/System/Api/Auth', { Id: made.Id, Permissions: ['m10101', 'm10101.add', 'm10101.edit'] })
  program = made
})
afterAll(async () => {
  process.off('uncaughtException', note)
  await house?.close()
})

const sha256 = (body: Buffer) => createHash('sha256').update(body).digest('hex')
const sign = (target: string, bodySha256: string) => {
  const given = {
    method: 'POST',
    target,
    timestamp: String(Math.floor(Date.now() / 1000)),
    nonce: randomBytes(9).toString('hex'),
    bodySha256,
  }
  const key = createHmac('sha256', program.Secret).update(signingLabel).digest()
  const signature = createHmac('sha256', key).update(stringToSign(given)).digest('hex')
  return `${hmacScheme} AccessKey=${program.AccessKey}, Timestamp=${given.timestamp}, Nonce=${given.nonce}, ContentSha256=${bodySha256}, Signature=${signature}`
}
const form = (text: string, boundary = 'limit') =>
  Buffer.from(`--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="p.csv"\r\n\r\n${text}\r\n--${boundary}--\r\n`)
const multipart = 'multipart/form-data; boundary=limit'
const projects = (...names: string[]) => ['Project name', ...names].join('\n')
const post = async (path: string, type: string, body: Buffer, signed = body) => {
  const headers = { 'content-type': type, 'accept-language': 'en', authorization: sign(`/api${path}`, sha256(signed)) }
  const answer = await fetch(`${house.origin}/api${path}`, { method: 'POST', headers, body: new Uint8Array(body) })
  return (await answer.json()) as { StatusCode: number; Data: unknown; Details?: { Fault: string } }
}
const names = async () =>
  (await house.data<{ Items: { ProjectName: string }[] }>('GET', '/Project/Project/List')).Items.map((p) => p.ProjectName).sort()
const importing = '/Project/Project/Import'

it('a signed upload is accepted only if the file matches the signature', async () => {
  const own = form(projects('Own'))
  expect(await post(importing, multipart, own)).toMatchObject({ StatusCode: 200, Data: { Added: 1 } })
  const foreign = form(projects('Foreign'))
  for (const [body, signed] of [
    [foreign, own],
    [foreign, Buffer.alloc(0)],
    [Buffer.concat([foreign, Buffer.from('and more')]), foreign],
    [form(projects(...Array.from({ length: 20_000 }, (_, i) => `Foreign ${i}`))), own],
  ] as const)
    for (const type of [multipart, multipart.replace('m', 'M')])
      expect(await post(importing, type, body, signed), `${body.length} ${type}`).toMatchObject({ Details: { Fault: 'signatureWrong' } })
  expect(await names()).toEqual(['Own'])
})

it('a body of an unknown type fails only its own call', async () => {
  const [body, other] = [Buffer.from('{"ProjectName":"Other"}'), Buffer.from('{}')]
  const call = '/Project/Project'
  for (const [type, sent] of [
    ['text/plain', body],
    ['application/json', body],
    ['application/json', Buffer.alloc(100_000, 32)],
    ['multipart/form-data', body],
    [multipart, form('x')],
  ] as const)
    expect((await post(call, type, sent, other)).StatusCode, type).not.toBe(200)
  // One that breaks off.
  for (const type of ['text/plain', 'application/json', multipart])
    await new Promise<void>((done) => {
      const socket = connect(Number(new URL(house.origin).port), '127.0.0.1', () => {
        const head = { host: '127.0.0.1', 'content-type': type, 'content-length': 500, authorization: sign(`/api${call}`, sha256(other)) }
        const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}`)
        socket.write(`POST /api${call} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n{"Pro`)
        setTimeout(() => socket.resetAndDestroy(), 100)
      })
      socket.on('error', () => {}).on('close', () => done())
    })
  expect(uncaught).toEqual([])
})

it('a truncated form, or one without boundary, is a client error', async () => {
  const send = async (type: string, body: string) => {
    const headers = { 'content-type': type, authorization: `Bearer ${house.admin}` }
    return (await (await fetch(`${house.origin}/api${importing}`, { method: 'POST', headers, body })).json()) as object
  }
  const whole = form(projects('Broken')).toString()
  for (const [type, body] of [
    [multipart, whole.slice(0, 80)],
    ['multipart/form-data', whole],
    [`multipart/form-data; boundary=${'x'.repeat(300)}`, whole],
    ['multipart/form-data; boundary=another', whole],
  ] as const)
    expect(await send(type, body), type).toMatchObject({ StatusCode: 400, Details: { Fault: 'unsupportedMedia' } })
  expect(await names()).toEqual(['Own'])
})
