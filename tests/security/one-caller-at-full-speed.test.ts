// One caller asks for as much as he can (findings F3 and F7 of the security review). The server is a process of its own, so that its
// memory and the lateness of its event loop are its own.
import { describe, expect, test } from 'vitest'
import { workbook } from '../../bench/workbook.ts'
import type { Wrapper } from '../../contract/call.ts'
import { ownServer } from '../faults/own-server.ts'

const own = ownServer({ PENSTOCK_TRUST_PROXY: 'on' })
const bearer = () => ({ authorization: `Bearer ${own.door.admin}` })

describe('the document of all calls', () => {
  const get = (headers: Record<string, string> = {}) => fetch(`${own.process.origin}/api/openapi.json`, { headers })

  test('requires a session, whatever the header contains', async () => {
    expect((await get()).status).toBe(401)
    expect((await get({ authorization: 'Bearer nonsense' })).status).toBe(401)
    const page = await fetch(`${own.process.origin}/api/docs`)
    expect(await page.text()).not.toContain('/api/System')
  })

  test('is made once, and sent compressed or not at all', async () => {
    const answer = await get({ ...bearer(), 'accept-encoding': 'br' })
    expect([answer.status, answer.headers.get('content-encoding')]).toEqual([200, 'br'])
    expect(Number(answer.headers.get('content-length'))).toBeLessThan(100_000)
    expect(Object.keys(((await answer.json()) as { paths: object }).paths).length).toBeGreaterThan(300)
    const again = await get({ ...bearer(), 'if-none-match': answer.headers.get('etag')! })
    expect([again.status, await again.text()]).toEqual([304, ''])
    const plain = await get({ ...bearer(), 'accept-encoding': 'identity, br;q=0' })
    expect(plain.headers.get('content-encoding')).toBeNull()
  })
})

test('of many sign-ins at once, those beyond a short queue are refused before they cost a hash', async () => {
  const signIn = (n: number) =>
    fetch(`${own.process.origin}/api/Auth/Login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'accept-language': 'en', 'x-forwarded-for': `203.0.113.${n}` },
      body: JSON.stringify({ UserNO: `nobody${n}`, Pwd: 'not the password' }),
    })
  const answers = await Promise.all(Array.from({ length: 90 }, (_, n) => signIn(n)))
  const busy = answers.filter((a) => a.status === 503)
  expect(busy.length).toBeGreaterThan(20)
  expect(busy[0]!.headers.get('retry-after')).toBe('5')
  expect(await busy[0]!.json()).toMatchObject({ StatusCode: 503, Details: { Fault: 'busy' }, Errors: expect.stringContaining('Try again') })
  expect(answers.filter((a) => a.status === 200).length).toBeGreaterThan(10)
})

describe('sheets', () => {
  const importSheet = async (content: Buffer) => {
    const body = new FormData()
    body.set('file', new File([new Uint8Array(content)], 'sheet'))
    const answer = await fetch(`${own.process.origin}/api/Project/Project/Import?Preview=1`, {
      method: 'POST',
      headers: { ...bearer(), 'accept-language': 'en' },
      body,
    })
    return ((await answer.json()) as Wrapper).Details?.Fault
  }
  /** What the work leaves behind: memory in MB, and by how much the event loop was late at worst, in ms. */
  const costOf = async (work: () => Promise<unknown>) => {
    const before = own.resident()
    let most = before
    const sampling = setInterval(() => {
      most = Math.max(most, own.resident())
    }, 20)
    // Reading the figure starts a new measurement.
    await own.figure('nodejs_eventloop_lag_max_seconds')
    await work().finally(() => clearInterval(sampling))
    return { mb: (most - before) / 2 ** 20, lateMs: 1000 * (await own.figure('nodejs_eventloop_lag_max_seconds')) }
  }

  test('sixteen sheets with one cell far away take no memory: few are read, and the others are refused', async () => {
    const sheet = workbook('<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>')
    const faults: (string | undefined)[] = []
    const { mb } = await costOf(async () => {
      await Promise.all(Array.from({ length: 16 }, async () => faults.push(await importSheet(sheet))))
    })
    expect(faults.filter((fault) => fault === 'sheetTooLong').length).toBeGreaterThan(0)
    expect(new Set(faults)).toEqual(new Set(['sheetTooLong', 'busy']))
    expect(mb).toBeLessThan(250)
  })

  test('a text table of four million rows is read to its limit and no further', async () => {
    const { mb, lateMs } = await costOf(async () => {
      expect(await importSheet(Buffer.from(`Project name\n${'1\n'.repeat(4_000_000)}`))).toBe('sheetTooLong')
    })
    expect(mb).toBeLessThan(300)
    // 5.9 s before. A crowded machine is late by itself.
    expect(lateMs).toBeLessThan(3000)
  })

  test('a sheet of too many columns, or of a text that many cells share, is refused', async () => {
    expect(await importSheet(Buffer.from(Array.from({ length: 201 }, (_, i) => `T${i}`).join(',')))).toBe('sheetTooWide')
    const text = `<si><t>${'x'.repeat(32_000)}</t></si>`
    const row = (n: number) => `<row r="${n}">${'<c t="s"><v>0</v></c>'.repeat(100)}</row>`
    const title = '<row r="1"><c t="inlineStr"><is><t>Project name</t></is></c></row>'
    const rows = Array.from({ length: 100 }, (_, i) => row(i + 2))
    expect(await importSheet(workbook(title + rows.join(''), text))).toBe('tooLarge')
  })
})
