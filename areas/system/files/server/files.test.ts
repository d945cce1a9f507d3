import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import S3rver from 's3rver'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Wrapper } from '../../../../contract/call.ts'
import { permissions } from '../../../../contract/menus.ts'
import { type Kit, startKit } from '../../../../main/testing/kit.ts'
import { openS3 } from '../../../../server/files/s3.ts'
import { type FileStore, openFolder } from '../../../../server/files/store.ts'
import { fileRoutes } from './routes.ts'
import { type Files, filesService } from './service.ts'

type Kept = {
  Id: number
  FileName: string
  FilePath: string
  Url: string
  ContentType: string
  Size: number
  Width: number
  Height: number
}

const folder = mkdtempSync(join(tmpdir(), 'penstock-files-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const inFolder = async () => ({ store: openFolder(join(folder, 'local')), stop: async () => undefined })
/** A real S3 server with one key. */
const inBucket = async () => {
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory: join(folder, 's3'),
    configureBuckets: [{ name: 'penstock', configs: [] }],
  })
  const { port } = await server.run()
  const address = (name: string) => `http://${name}:S3RVER@127.0.0.1:${port}/penstock/below`
  await expect(openS3(address('somebody')).put(`1/${'0'.repeat(32)}.txt`, Buffer.from('x'), 'text/plain')).rejects.toThrow('unavailable')
  return { store: openS3(address('S3RVER')), stop: () => server.close() }
}

describe.each([
  ['a folder', inFolder],
  ['an S3 bucket', inBucket],
] as const)('files in %s', (_name, open) => {
  let kit: Kit
  let files: Files
  let store: FileStore
  let stop: () => Promise<unknown>
  let now = Date.UTC(2026, 0, 31, 12)
  beforeAll(async () => {
    const opened = await open()
    store = opened.store
    stop = opened.stop
    kit = await startKit({
      areas: (database, sessions) => {
        files = filesService(database, store, randomBytes(32), () => now)
        return [(api) => fileRoutes(api, files, sessions)]
      },
    })
  })
  afterAll(async () => {
    await kit?.close()
    await stop?.()
  })

  const send = async (as: string | undefined, name: string, content: Buffer, query = '') => {
    const body = new FormData()
    body.append('file', new Blob([new Uint8Array(content)]), name)
    const answer = new Response(body)
    const made = await kit.app.inject({
      method: 'POST',
      url: `/api/System/File/Upload${query}`,
      headers: {
        'content-type': answer.headers.get('content-type')!,
        'accept-language': 'en',
        ...(as ? { authorization: `Bearer ${kit.people.get(as)!.token}` } : {}),
      },
      payload: Buffer.from(await answer.arrayBuffer()),
    })
    return made.json() as Wrapper<Kept>
  }
  const kept = async (as: string, name: string, content: Buffer, query = '') => {
    const answer = await send(as, name, content, query)
    expect(answer, JSON.stringify(answer)).toMatchObject({ Succeeded: true })
    return answer.Data
  }
  const fetched = (as: string | undefined, path: string) => kit.request(as, 'GET', path.replace(/^\/api/, ''))
  const text = Buffer.from('name;value\nä;1\n')
  const picture = (width: number, height: number) =>
    sharp({ create: { width, height, channels: 3, background: '#1d8df0' } })
      .withExif({ IFD0: { Copyright: 'somebody' } })
      .jpeg()
      .toBuffer()

  it('the same key of a person is the same file, also at once; with another content it is refused', async () => {
    const query = '?ClientKey=phone-photo-1'
    const twice = (asked: string) => Promise.all([1, 2].map(() => kept('owner', 'seal.csv', text, asked)))
    const made = await twice(query)
    expect(new Set(made.map(({ FilePath }) => FilePath)).size).toBe(1)
    // Both contents are written in the same moment once in a while.
    for (let i = 2; i < 8; i++) expect(new Set((await twice(`?ClientKey=phone-photo-${i}`)).map(({ FilePath }) => FilePath)).size).toBe(1)
    expect((await fetched('owner', `/${made[0]!.FilePath}`)).rawPayload.equals(text)).toBe(true)
    await kit.person('colleague', kit.enterprises.ours, { menus: permissions })
    expect(await send('owner', 'seal.csv', Buffer.from('other'), query)).toMatchObject({
      StatusCode: 409,
      Details: { Fault: 'clientKeyUsed' },
    })
    expect((await kept('colleague', 'seal.csv', text, query)).FilePath).not.toBe(made[0]!.FilePath)
    expect(await send('owner', 'x.csv', text, '?ClientKey=x')).toMatchObject({ StatusCode: 400 })
  })

  it('[file-download] a relative path below the API base gives back what was sent, bit by bit', async () => {
    const file = await kept('owner', 'readings ä.csv', text)
    expect(file).toMatchObject({ FileName: 'readings ä.csv', Size: text.length })
    const answer = await fetched('owner', `/${file.FilePath}`)
    expect(answer.rawPayload.equals(text)).toBe(true)
    expect(answer.headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'content-disposition': expect.stringMatching(/^attachment;/),
    })
    const [row] = await kit.db.rows(sql`select "Sha256" from stored_file where "Id" = ${file.Id}`)
    expect(row).toEqual({ Sha256: createHash('sha256').update(text).digest('hex') })
  })

  it('pictures are made small, upright and free of what else was in them', async () => {
    const logo = await kept('owner', 'wide.jpg', await picture(2000, 1000), '?Purpose=logo')
    expect(logo).toMatchObject({ ContentType: 'image/webp', Width: 512, Height: 256 })
    const avatar = await kept('owner', 'me.jpeg', await picture(900, 600), '?Purpose=avatar')
    expect(avatar).toMatchObject({ Width: 256, Height: 256 })
    const { rawPayload } = await fetched('owner', avatar.Url)
    expect(await sharp(rawPayload).metadata()).toMatchObject({ format: 'webp', width: 256 })
    expect((await sharp(rawPayload).metadata()).exif).toBeUndefined()
  })

  it('an open picture needs no session, any other needs one or the signature of its address', async () => {
    const logo = await kept('owner', 'logo.jpg', await picture(40, 40), '?Purpose=logo')
    expect((await fetched(undefined, logo.Url)).statusCode).toBe(200)
    expect(logo.Url).not.toContain('Signature')
    const avatar = await kept('owner', 'me.jpg', await picture(40, 40), '?Purpose=avatar')
    const ok = async (as: string | undefined, path: string) => (await fetched(as, path)).headers['content-type'] === 'image/webp'
    expect(await ok('owner', `/${avatar.FilePath}`)).toBe(true)
    expect(await ok(undefined, `/${avatar.FilePath}`)).toBe(false)
    expect(await ok(undefined, avatar.Url)).toBe(true)
    expect(
      await ok(
        undefined,
        avatar.Url.replace(/Expires=(\d+)/, (_, n) => `Expires=${Number(n) + 3_600_000}`),
      ),
    ).toBe(false)
    const { Url, ExpireTime } = await kit.data<{ Url: string; ExpireTime: number }>(
      'viewer',
      'GET',
      `/System/File/Url?FilePath=${encodeURIComponent(avatar.FilePath)}`,
    )
    expect(Url).toBe(avatar.Url)
    const then = now
    now = ExpireTime
    expect(await ok(undefined, avatar.Url)).toBe(false)
    now = then
  })

  it('another tenant’s file does not exist, the platform sees all, a screen’s file is for who may see the screen', async () => {
    const file = await kept('owner', 'ours.txt', Buffer.from('ours'))
    for (const [method, path, body] of [
      ['GET', `/${file.FilePath}`, undefined],
      ['GET', `/System/File/Url?FilePath=${file.FilePath}`, undefined],
      ['DELETE', '/System/File', { FilePath: file.FilePath }],
    ] as const)
      expect(await kit.call('stranger', method, path, body)).toMatchObject({ StatusCode: 404 })
    expect((await fetched('platform', `/${file.FilePath}`)).body).toBe('ours')
    const secret = await kept('owner', 'plan.txt', Buffer.from('plan'), '?MenuEncoding=m10403')
    expect((await fetched('viewer', `/${secret.FilePath}`)).body).toBe('plan')
    expect((await fetched('nobody', `/${secret.FilePath}`)).json()).toMatchObject({ StatusCode: 404 })
    expect(await send('nobody', 'x.txt', text, '?MenuEncoding=m10403')).toMatchObject({ StatusCode: 403 })
  })

  it('what a file is, its bytes say: names and declared types are not believed', async () => {
    const jpeg = await picture(10, 10)
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')
    const cases: [string, Buffer, string, string][] = [
      ['page.html', Buffer.from('<script>alert(1)</script>'), '', 'fileKind'],
      ['drawing.svg', svg, '', 'fileKind'],
      ['drawing.png', svg, '?Purpose=picture', 'fileKind'],
      ['tool.exe', Buffer.concat([Buffer.from('MZ'), randomBytes(200)]), '', 'fileKind'],
      ['report.pdf', jpeg, '', 'fileKind'],
      ['notes.txt', Buffer.from([65, 0, 66]), '', 'fileKind'],
      ['notes.txt', Buffer.from([0xff, 0xfe, 0xfd]), '', 'fileKind'],
      ['empty.txt', Buffer.alloc(0), '', 'fileEmpty'],
      ['cut.jpg', jpeg.subarray(0, 200), '?Purpose=picture', 'pictureUnreadable'],
    ]
    for (const [name, content, query, fault] of cases)
      expect(await send('owner', name, content, query), `${name} ${query}`).toMatchObject({ Succeeded: false, Details: { Fault: fault } })
    const bomb = await sharp({ create: { width: 12_000, height: 12_000, channels: 3, background: 'white' } })
      .png()
      .toBuffer()
    expect(bomb.length).toBeLessThan(5_000_000)
    expect(await send('owner', 'bomb.png', bomb, '?Purpose=picture')).toMatchObject({ Details: { Fault: 'pictureUnreadable' } })
    const big = await send('owner', 'big.jpg', Buffer.concat([jpeg, Buffer.alloc(6_000_000)]), '?Purpose=logo')
    expect(big).toMatchObject({ StatusCode: 413 })
    expect(await send(undefined, 'x.txt', text)).toMatchObject({ StatusCode: 401 })
  })

  it('no path leads out', async () => {
    const file = await kept('owner', '../../etc/passwd.txt', text)
    expect(file.FileName).toBe('passwd.txt')
    const own = `/files/${kit.enterprises.ours}/`
    const tricks = [
      '../../../../server/package.json',
      '..%2f..%2fpackage.json',
      '%2e%2e%2fsecret',
      'a%00.txt',
      '....//x',
      '%5c..%5cx',
      '%252e%252e%252fx',
      '/etc/passwd',
    ]
    for (const trick of [
      ...tricks.map((t) => own + t),
      '/files/../../package.json',
      '/files//etc/passwd',
      '/files/1/.',
      '/files/0x1/a.txt',
    ]) {
      const answer = await kit.request('owner', 'GET', trick)
      expect([answer.statusCode, answer.json().StatusCode], trick).toEqual([answer.statusCode, 404])
    }
    for (const FilePath of ['../x', 'files/../x', 'files/1/x', '/proc/self/environ'])
      expect(await kit.call('owner', 'DELETE', '/System/File', { FilePath })).toMatchObject({ StatusCode: 404 })
  })

  it('a tenant has its room, and two at once do not both get the last of it', async () => {
    const before = await kit.data<{ Used: number; Quota: number }>('stranger', 'GET', '/System/File/Usage')
    expect(before).toEqual({ Files: 0, Used: 0, Quota: 2048 * 1024 * 1024 })
    await kit.data('platform', 'PUT', '/System/Enterprise', { Id: kit.enterprises.theirs, MaxFileMb: 1 })
    const half = Buffer.from('x'.repeat(600_000))
    const answers = await Promise.all(['a.txt', 'b.txt', 'c.txt'].map((name) => send('stranger', name, half)))
    expect(answers.map((a) => a.StatusCode).sort()).toEqual([200, 409, 409])
    expect(answers.find((a) => a.StatusCode === 409)!.Errors).toContain('1 MB')
    const { FilePath } = answers.find((a) => a.StatusCode === 200)!.Data
    expect(await kit.data('stranger', 'DELETE', '/System/File', { FilePath })).toEqual({ Removed: 1 })
    expect((await send('stranger', 'd.txt', half)).StatusCode).toBe(200)
    expect(await kit.data('stranger', 'GET', '/System/File/Usage')).toMatchObject({ Files: 1, Used: 600_000 })
  })

  it('one’s own file one may remove, others’ only who manages the tenant', async () => {
    const file = await kept('owner', 'mine.txt', text)
    expect(await kit.call('nobody', 'DELETE', '/System/File', { FilePath: file.FilePath })).toMatchObject({ StatusCode: 403 })
    expect((await send('nobody', 'his.txt', text)).Details?.Fault).toBe('nothingToAttach')
    const his = await kept('nobody', 'his.jpg', await picture(20, 20), '?Purpose=avatar')
    for (const [who, FilePath] of [
      ['owner', his.FilePath],
      ['owner', file.FilePath],
    ] as const)
      expect(await kit.data(who, 'DELETE', '/System/File', { FilePath })).toEqual({ Removed: 1 })
    expect((await fetched('owner', `/${file.FilePath}`)).json()).toMatchObject({ StatusCode: 404 })
  })

  it('sweeping takes files whose record is gone, old attachments without one, and old contents that no row names', async () => {
    const file = await kept('owner', 'me.jpg', await picture(20, 20), '?Purpose=avatar')
    const loose = await kept('owner', 'loose.txt', text)
    await store.put(`1/${'a'.repeat(32)}.txt`, text, 'text/plain')
    const ofRecords = [await kept('owner', 'here.txt', text), await kept('owner', 'gone.txt', text)]
    const assign = (file: number, record: number) =>
      kit.database.system.rows(sql`update stored_file set "Resource" = 'user', "RecordId" = ${record} where "Id" = ${file}`)
    const [someone] = await kit.database.system.rows<{ Id: number }>(sql`select min("Id") as "Id" from "user"`)
    await assign(ofRecords[0]!.Id, someone!.Id)
    await assign(ofRecords[1]!.Id, 999_999)
    const real = Date.now()
    const then = now
    now = real
    const gone = await files.sweep()
    expect(gone).toBe(1)
    expect((await fetched('owner', `/${loose.FilePath}`)).body).toBe(text.toString())
    const left = await kit.database.system.rows(sql`select "FileName" from stored_file where "Resource" = 'user'`)
    expect(left).toEqual([{ FileName: 'here.txt' }])
    now = real + 2 * 86_400_000
    await files.sweep()
    expect((await fetched('owner', `/${loose.FilePath}`)).json()).toMatchObject({ StatusCode: 404 })
    now = then
    expect((await fetched('owner', `/${file.FilePath}`)).headers['content-type']).toBe('image/webp')
    expect(await store.get(`1/${'a'.repeat(32)}.txt`)).toBeUndefined()
  })
})

it('nothing half-written stays in the folder', () => {
  const names = readdirSync(join(folder, 'local'), { recursive: true }) as string[]
  expect(names.filter((name) => name.endsWith('.part'))).toEqual([])
})
