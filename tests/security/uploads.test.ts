// One tenant sends files that never end, or that grow without end (findings N7a and N7b): the imports of others go on.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { workbook } from '../../bench/workbook.ts'
import type { Wrapper } from '../../contract/call.ts'
import { type House, startHouse, until } from '../house.ts'
import { person } from '../two-tenants.ts'

let house: House
const sockets: Socket[] = []
let ahead = 0
const token: Record<string, string> = {}
const people = Array.from({ length: 6 }, (_, i) => `sender${i}`)

beforeAll(async () => {
  house = await startHouse({}, () => Date.now() + ahead)
  for (const [name, accounts] of [
    ['Works', [...people, 'colleague']],
    ['Mill', ['neighbour']],
  ] as const) {
    const { Id } = await house.data('POST', '/System/Enterprise', { Name: name, ManagerNO: `${name}Manager`, ManagerName: name })
    const [role] = await house.database.system.rows<{ RoleName: string }>(
      sql`select "RoleName" from role where "EnterpriseId" = ${Id} order by cardinality("MenuCodes") desc limit 1`,
    )
    for (const account of accounts) token[account] = await person(house, Id, account, account, role!.RoleName)
  }
})
afterAll(async () => {
  for (const socket of sockets) socket.destroy()
  await house?.close()
})

const mb = 2 ** 20
const sheets = '/Project/Project/Import?Preview=1'
const attachment = '/System/File/Upload?Purpose=attachment'
const small = Buffer.from('Project name\r\nNew one\r\n')
const importSheet = async (as: string, content = small) => {
  const body = new FormData()
  body.set('file', new File([new Uint8Array(content)], 'sheet'))
  const answer = await fetch(`${house.origin}/api${sheets}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token[as]}`, 'accept-language': 'en' },
    body,
  })
  const { Data, Details } = (await answer.json()) as Wrapper<{ Added: number }>
  return Details?.Fault ?? Data.Added
}

type Upload = { socket: Socket; answer: Promise<string> }
const begin = async (as: string, path: string, length = 100_000): Promise<Upload> => {
  const socket = connect(Number(new URL(house.origin).port), '127.0.0.1')
  sockets.push(socket)
  const answer = new Promise<string>((resolve) => {
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk
    })
    socket.on('error', () => {})
    socket.once('close', () => resolve(text))
  })
  await once(socket, 'connect')
  const head = [`POST /api${path} HTTP/1.1`, 'Host: x', `Authorization: Bearer ${token[as]}`, 'Accept-Language: en']
  const body = ['--X', 'Content-Disposition: form-data; name="file"; filename="a.csv"', '', 'A']
  socket.write([...head, 'Content-Type: multipart/form-data; boundary=X', `Content-Length: ${length}`, '', ...body].join('\r\n'))
  return { socket, answer }
}
const send = (uploads: Upload[], bytes: number) => {
  for (const { socket } of uploads) if (socket.writable) socket.write('a'.repeat(bytes))
}
const refused = (uploads: Upload[]) => uploads.filter(({ socket }) => socket.bytesRead > 0)
/** The server notices the end of each. */
const end = async (uploads: Upload[]) => {
  for (const { socket } of uploads) socket.destroy()
  await until('room', async () => (await importSheet('colleague')) !== 'busy')
}
const passMs = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
/** Lets ten seconds pass for the server, which looks once a second. */
const tenSecondsOf = async (uploads: Upload[], bytes: number) => {
  send(uploads, bytes)
  await passMs(300)
  ahead += 10_000
  await passMs(1500)
}

it('twelve uploads of six people, a byte at a time, keep nobody from importing, and are cut', async () => {
  const slow = await Promise.all(people.flatMap((as) => [0, 1].map(() => begin(as, sheets))))
  await passMs(300)
  send(slow, 1)
  expect(await importSheet('neighbour')).toBe(1)
  expect(await importSheet('colleague')).toBe(1)
  await tenSecondsOf(slow, 1)
  for (const { answer } of slow) {
    expect(await answer).toMatch(/^HTTP\/1\.1 408 /)
    expect(await answer).toMatch(/"The file arrived too slowly\..*"Fault":"tooSlow"/)
  }
})

it.each([attachment, '/System/Backup/BringPart?Ticket=00000000-0000-4000-8000-000000000000&Offset=0'])(
  'a slow body is cut on %s too; one that is fast enough goes on',
  async (path) => {
    const as = path.includes('Backup') ? 'admin' : 'colleague'
    token.admin = house.admin
    const [slow, steady] = [await begin(as, path), await begin(as, path)]
    await tenSecondsOf([steady], 12_000)
    expect(await slow.answer).toMatch(/^HTTP\/1\.1 408 /)
    expect(steady.socket.readyState).toBe('open')
    steady.socket.destroy()
  },
)

it('a tenant has a limited number of uploads and bytes under way, and the others have room', async () => {
  const many = await Promise.all(people.flatMap((as) => Array.from({ length: 6 }, () => begin(as, attachment))))
  await until('uploads to be refused', () => refused(many).length >= 4)
  expect(await importSheet('neighbour')).toBe(1)
  expect(refused(many)).toHaveLength(4)
  await end(many)
  const large = await Promise.all(people.slice(0, 4).map((as) => begin(as, sheets, 20 * mb)))
  send(large, 18 * mb)
  await until('an upload to be refused', () => refused(large).length)
  expect(await importSheet('neighbour')).toBe(1)
  expect(refused(large)).toHaveLength(1)
  await end(large)
  expect(await importSheet('sender0')).toBe(1)
})

// Such a cell filled the memory of its reader first (finding N7b).
const endless = workbook(`<row r="1"><c r="A1" t="str"><v>${'_x0041_'.repeat(45 * 2 ** 17)}</v></c></row>`)

it('a sheet with a cell that grows without end is refused while it grows', { timeout: 240_000 }, async () => {
  const hostile = Promise.all([importSheet('sender0', endless), importSheet('sender1', endless)])
  expect(await importSheet('neighbour')).toBe(1)
  expect(await hostile).toEqual(['tooLarge', 'tooLarge'])
  expect(await importSheet('colleague')).toBe(1)
})
