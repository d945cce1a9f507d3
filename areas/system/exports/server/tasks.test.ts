import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import type { Page, Wrapper } from '../../../../contract/call.ts'
import { exportLimits, sheetWait } from '../../../../contract/exportLimits.ts'
import { type ExportTask, taskStatus } from '../../../../contract/exports.ts'
import { type Kit, startKit } from '../../../../main/testing/kit.ts'
import type { Database } from '../../../../server/database/db.ts'
import { readSheet } from '../../../../server/files/sheetReader.ts'
import { exportTaskRoutes } from './taskRoutes.ts'
import { type Exports, openExports } from './tasks.ts'

const hourMs = 3_600_000
const path = '/Project/ImportExportTask'
const folder = mkdtempSync(join(tmpdir(), 'penstock-exports-'))
let kit: Kit
let exports: Exports
let now = Date.parse('2026-03-01T12:00:00Z')
const enders: ((session: string, reason: string) => void)[] = []

/** Pages of the export wait here when a test holds them. */
let gate: Promise<void> = Promise.resolve()
const held = () => {
  let open = () => {}
  gate = new Promise((resolve) => {
    open = resolve
  })
  return () => open()
}
const slow = (database: Database): Database => ({
  ...database,
  as: (scope) => {
    const db = database.as(scope)
    const all = (async (queries: never) => {
      await gate
      return db.all(queries)
    }) as typeof db.all
    return { ...db, all }
  },
})
const open = () =>
  openExports({
    database: slow(kit.database),
    sessions: {
      actorOf: (...of) => kit.sessions.actorOf(...of),
      onChanged: (listener) => kit.sessions.onChanged(listener),
      onEnd: (tell) => {
        enders.push(tell)
        return () => true
      },
    },
    folder,
    log: { warn: () => {} },
    clock: () => now,
    limits: { progressMs: 0 },
  })

beforeAll(async () => {
  kit = await startKit({
    areas: () => [
      (api) => exportTaskRoutes(api, new Proxy({} as Exports, { get: (_, name) => exports[name as keyof Exports].bind(exports) })),
    ],
  })
  exports = await open()
  await kit.db.rows(
    sql`insert into project ("EnterpriseId", "ProjectName", "Remark") select ${kit.enterprises.ours}, 'Site ' || lpad(n::text, 4, '0'), case when n % 7 = 0 then '=1+' || n end from generate_series(1, 2500) n`,
  )
})
afterEach(async () => {
  gate = Promise.resolve()
  for (const as of ['owner', 'viewer', 'stranger']) {
    const Ids = (await list(as)).map((task) => task.Id)
    if (Ids.length) await kit.data(as, 'DELETE', path, { Ids })
  }
})
afterAll(async () => {
  await exports?.close()
  await kit?.close()
  rmSync(folder, { recursive: true, force: true })
})

const start = (as: string, body: object = {}) => kit.call<ExportTask>(as, 'POST', path, { Resource: 'project', Format: 'csv', ...body })
const list = async (as: string) => (await kit.data<Page<ExportTask>>(as, 'GET', `${path}/List`)).Items
const until = (as: string, id: number, status: number) =>
  expect.poll(async () => (await list(as)).find((task) => task.Id === id)?.Status, { timeout: 60_000 }).toBe(status)
const file = (as: string, id: number) => kit.request(as, 'GET', `${path}/File?Id=${id}`)

it('what is filtered leaves in its order with the columns asked for, as text and as a sheet', async () => {
  const Query = { OrderColumn: 'ProjectName', OrderType: 'desc', Search: 'Site', QueryInfo: { RelOP: 1, QueryConditions: [] } }
  for (const Format of ['csv', 'xlsx'] as const) {
    const task = await start('owner', { Format, Fields: ['ProjectName', 'Remark'], Query })
    expect(task.Data).toMatchObject({ Resource: 'project', FileName: `projects-site-20260301-1200.${Format}`, Reason: null })
    await until('owner', task.Data.Id, taskStatus.done)
    const [done] = await list('owner')
    expect(done).toMatchObject({ DoneRows: 2500, TotalRows: 2500 })
    const answer = await file('owner', task.Data.Id)
    expect(answer.headers['content-disposition']).toContain(`projects-site-20260301-1200.${Format}`)
    expect(answer.rawPayload).toHaveLength(done!.FileBytes!)
    const rows = await readSheet(answer.rawPayload)
    expect(rows).toHaveLength(2501)
    expect(rows[0]).toEqual(['Project name', 'Remark'])
    expect(rows[1]).toEqual(['Site 2500', null])
    expect(rows[4]).toEqual(['Site 2497', null])
    // A text that a spreadsheet would run is guarded in the file, and itself again when it is read.
    expect(rows.slice(1).find((row) => row[1] !== null)![1]).toMatch(/^=1\+/)
    expect(answer.rawPayload.includes(Buffer.from(",'=1+"))).toBe(Format === 'csv')
  }
})

it('a notice of type 11 tells only its person that the file is ready', async () => {
  const { Data } = await start('owner')
  await until('owner', Data.Id, taskStatus.done)
  const [notice] = await kit.db.rows(
    sql`select "BizType", "Wording", "WordValues", "UserIds", "ObjectType", "ObjectId" from notice where "Source" = ${`export/${Data.Id}`}`,
  )
  expect(notice).toEqual({
    BizType: 11,
    Wording: 'exported',
    WordValues: { FileName: 'projects-20260301-1200.csv', Rows: 2500 },
    UserIds: [kit.people.get('owner')!.id],
    ObjectType: 'importExportTask',
    ObjectId: Data.Id,
  })
})

it('a notice is sent only if the caller stopped waiting for the file, or the file is long', async () => {
  const notices = async (id: number) => (await kit.db.rows(sql`select 1 from notice where "Source" = ${`export/${id}`}`)).length
  const waited = await start('owner', { Waits: 1 })
  await until('owner', waited.Data.Id, taskStatus.done)
  expect(await notices(waited.Data.Id)).toBe(0)

  const release = held()
  const late = await start('owner', { Waits: 1 })
  await expect.poll(() => statusOf(late.Data.Id)).toBe(taskStatus.running)
  now += sheetWait.ms
  release()
  await until('owner', late.Data.Id, taskStatus.done)
  expect(await notices(late.Data.Id)).toBe(1)
})

it('two run at once for a person, eight wait, more are refused; others are not held up', async () => {
  const release = held()
  const tasks: Wrapper<ExportTask>[] = []
  for (let i = 0; i < exportLimits.running + exportLimits.waiting; i++) tasks.push(await start('owner'))
  expect(tasks.every((task) => task.Succeeded)).toBe(true)
  expect(await start('owner')).toMatchObject({ StatusCode: 409, Details: { Fault: 'exportsWaiting' } })
  const running = async () => (await kit.db.rows(sql`select 1 from import_export_task where "Status" = ${taskStatus.running}`)).length
  await expect.poll(running).toBe(exportLimits.running)
  const other = await start('viewer')
  await expect.poll(async () => (await statusOf(other.Data.Id)) === taskStatus.running).toBe(true)
  release()
  await until('owner', tasks.at(-1)!.Data.Id, taskStatus.done)
})
const statusOf = async (id: number) =>
  (await kit.db.rows<{ Status: number }>(sql`select "Status" from import_export_task where "Id" = ${id}`))[0]?.Status

it('a task that is removed stops, leaves no file and no notice', async () => {
  const release = held()
  const { Data } = await start('owner')
  await expect.poll(() => statusOf(Data.Id)).toBe(taskStatus.running)
  expect(await kit.data('owner', 'DELETE', `${path}?Id=${Data.Id}`)).toEqual({ Removed: 1 })
  release()
  await expect.poll(() => readdirSync(folder).filter((name) => name.startsWith(`${Data.Id}.`))).toEqual([])
  expect(await kit.db.rows(sql`select 1 from notice where "Source" = ${`export/${Data.Id}`}`)).toEqual([])
  expect(await list('owner')).toEqual([])
})

it('belongs to its person: no other person, in the tenant or outside, can list, download or delete it', async () => {
  const { Data } = await start('owner')
  await until('owner', Data.Id, taskStatus.done)
  for (const as of ['viewer', 'stranger', 'platform']) {
    expect(await list(as)).toEqual([])
    expect((await file(as, Data.Id)).json()).toMatchObject({ StatusCode: 404 })
    expect(await kit.call(as, 'DELETE', path, { Id: Data.Id })).toMatchObject({ StatusCode: 404 })
  }
  const theirs = await start('stranger')
  await until('stranger', theirs.Data.Id, taskStatus.done)
  expect((await file('stranger', theirs.Data.Id)).body.trim().split('\r\n')).toHaveLength(1)
})

it('only lists that one may read leave, and only those that are meant to', async () => {
  expect(await start('nobody')).toMatchObject({ StatusCode: 403 })
  expect(await start('viewer', { Resource: 'point' })).toMatchObject({ StatusCode: 403 })
  for (const Resource of ['version', 'enterprise', 'nonsense'])
    expect(await start('owner', { Resource })).toMatchObject({ StatusCode: 404 })
  expect(await start('owner', { Fields: ['EnterpriseId'] })).toMatchObject({ Details: { Fault: 'unknownFilter' } })
  // A filter is judged when it is used.
  const { Data } = await start('owner', { Query: { Nonsense: 1 } })
  await until('owner', Data.Id, taskStatus.failed)
  expect((await list('owner'))[0]!.Reason).toMatch(/Nonsense/)
})

it('a person locked during the call gets nothing more', async () => {
  const release = held()
  const { Data } = await start('owner')
  await expect.poll(() => statusOf(Data.Id)).toBe(taskStatus.running)
  const [session] = await kit.db.rows<{ Id: string }>(sql`select "Id" from session where "UserId" = ${kit.people.get('owner')!.id}`)
  for (const end of enders) end(session!.Id, 'locked')
  release()
  await until('owner', Data.Id, taskStatus.cancelled)
  expect(existsSync(join(folder, `${Data.Id}.csv`))).toBe(false)
})

it('a change that takes nothing away stops nothing; who sees less gets neither what runs nor what is finished', async () => {
  const { id } = kit.people.get('viewer')!
  let release = held()
  const first = await start('viewer')
  await expect.poll(() => statusOf(first.Data.Id)).toBe(taskStatus.running)
  kit.sessions.changed('all')
  release()
  await until('viewer', first.Data.Id, taskStatus.done)
  expect((await file('viewer', first.Data.Id)).statusCode).toBe(200)

  release = held()
  const tasks = [await start('viewer'), await start('viewer'), await start('viewer')].map(({ Data }) => Data.Id)
  const mine = sql`"Id" in (select "RoleId" from user_role where "UserId" = ${id})`
  const roles = await kit.db.rows<{ Id: number; ProjectIds: number[] | null }>(sql`select "Id", "ProjectIds" from role where ${mine}`)
  await kit.db.rows(sql`update role set "ProjectIds" = '{}' where ${mine}`)
  kit.sessions.changed({ users: [id] })
  // The last one waits for its turn and is checked after those that run.
  await expect.poll(() => statusOf(tasks[2]!)).toBe(taskStatus.cancelled)
  release()
  for (const task of tasks) await until('viewer', task, taskStatus.cancelled)
  expect((await file('viewer', first.Data.Id)).json()).toMatchObject({ StatusCode: 404 })
  for (const { Id, ProjectIds } of roles) await kit.db.rows(sql`update role set "ProjectIds" = ${ProjectIds}::bigint[] where "Id" = ${Id}`)
  kit.sessions.changed({ users: [id] })
  expect((await file('viewer', first.Data.Id)).statusCode).toBe(200)
})

it('a file goes after a day, the oldest when there are too many', async () => {
  const { Data } = await start('owner')
  await until('owner', Data.Id, taskStatus.done)
  now += exportLimits.hours * hourMs - 1
  await exports.sweep()
  expect((await file('owner', Data.Id)).statusCode).toBe(200)
  now += 1
  await exports.sweep()
  expect(await list('owner')).toEqual([])
  expect(readdirSync(folder)).toEqual([])
})

it('what runs when the server stops has failed, says so, and leaves no file', async () => {
  const release = held()
  const { Data } = await start('owner')
  await expect.poll(() => statusOf(Data.Id)).toBe(taskStatus.running)
  const closing = exports.close()
  release()
  await closing
  // As after a crash: a row that still claims to run, and an orphaned file.
  await kit.db.rows(sql`update import_export_task set "Status" = 1, "Fault" = null where "Id" = ${Data.Id}`)
  exports = await open()
  const [task] = await list('owner')
  expect(task).toMatchObject({ Id: Data.Id, Status: taskStatus.failed, Reason: expect.stringContaining('restarted') })
  expect(readdirSync(folder)).toEqual([])
})
