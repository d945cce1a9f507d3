import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { project } from '../../areas/configuration/projects/contract.ts'
import type { Page } from '../../contract/call.ts'
import type { Row } from '../../contract/resource.ts'
import { maker } from '../../main/testing/drafts.ts'
import { type Kit, startKit } from '../../main/testing/kit.ts'

let kit: Kit
let make: ReturnType<typeof maker>
beforeAll(async () => {
  kit = await startKit()
  make = maker(kit)
})
afterAll(() => kit.close())

type Project = Row<typeof project>
const change = (body: object) => kit.call<Project>('owner', 'PUT', project.path, body, { 'accept-language': 'en' })

it('a change made from an older row is refused, with the row as it is now', async () => {
  const { Id } = await make.create(project)
  const seen = (await kit.data<Page<Project>>('owner', 'GET', `${project.path}/List?Id=${Id}`)).Items[0]!
  const first = await change({ Id, UpdateStamp: seen.UpdateStamp, ProjectName: 'First' })
  expect(first).toMatchObject({ Succeeded: true, Data: { ProjectName: 'First' } })
  expect(first.Data!.UpdateStamp).toBeGreaterThan(seen.UpdateStamp!)
  const second = await change({ Id, UpdateStamp: seen.UpdateStamp, ProjectName: 'Second' })
  expect(second).toMatchObject({ Succeeded: false, StatusCode: 409, Details: { Fault: 'changedMeanwhile', Current: first.Data } })
  expect(second.Errors).toContain('Someone else')
  expect(await change({ Id, UpdateStamp: first.Data!.UpdateStamp, ProjectName: 'Second' })).toMatchObject({
    Data: { ProjectName: 'Second' },
  })
})

it('two changes within the same second do not pass for one', async () => {
  const { Id, UpdateStamp } = await make.create(project)
  const both = await Promise.all(['A', 'B'].map((ProjectName) => change({ Id, UpdateStamp, ProjectName })))
  expect(both.map((a) => a.StatusCode).sort()).toEqual([200, 409])
})

it('a client that sends no stamp changes the row as ever, and the stamp itself is never stored', async () => {
  const { Id, UpdateStamp } = await make.create(project)
  await change({ Id, ProjectName: 'Third' })
  expect(await change({ Id, ProjectName: 'Fourth' })).toMatchObject({ Data: { ProjectName: 'Fourth' } })
  expect((await change({ Id, UpdateStamp: 'yesterday', ProjectName: 'x' })).Details?.Fields).toHaveProperty('UpdateStamp')
  expect((await kit.data<Project>('owner', 'GET', `${project.path}?Id=${Id}`)).UpdateStamp).not.toBe(UpdateStamp)
})

it('a locked row takes two connections, however many want to change it, and others still get their lists', async () => {
  const { Id } = await make.create(project)
  let release = () => {}
  const until = new Promise<void>((done) => {
    release = done
  })
  await new Promise<void>((isHeld, failed) => {
    kit.database.system
      .tx(async (db) => {
        await db.rows(sql`select 1 from project where "Id" = ${Id} for update`)
        isHeld()
        await until
      })
      .catch(failed)
  })
  // More than there are connections.
  const changes = Array.from({ length: 30 }, (_, i) => change({ Id, Remark: `${i}` }))
  for (let i = 0; i < 20; i++)
    expect(await kit.data<Page<Project>>('owner', 'GET', `${project.path}/List?ProjectName=none ${i}`)).toMatchObject({ TotalCount: 0 })
  release()
  expect(new Set((await Promise.all(changes)).map((answer) => answer.StatusCode))).toEqual(new Set([200]))
})

it('each of many concurrent changes sees the previous one, and is logged once', async () => {
  const { Id } = await make.create(project)
  const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => change({ Id, Remark: `remark ${i}` })))
  expect(new Set(answers.map((answer) => answer.StatusCode))).toEqual(new Set([200]))
  type Entry = { Before: Project | null; After: Project }
  const entries = await kit.database.system.rows<Entry>(
    sql`select "Before", "After" from change where "Resource" = 'project' and "RecordId" = ${Id} order by "Id"`,
  )
  expect(entries.map((entry) => entry.Before)).toEqual([null, ...entries.slice(0, -1).map((entry) => entry.After)])
  expect(entries.slice(1).map((entry) => entry.After.Remark)).toHaveLength(20)
  expect(new Set(entries.slice(1).map((entry) => entry.After.Remark))).toEqual(new Set(answers.map((answer) => answer.Data!.Remark)))
})

it('what a transaction leaves for later goes with its next statement or its commit, and not at all when it is undone', async () => {
  const { Id } = await make.create(project)
  const { tx, rows } = kit.database.system
  const remark = (text: string) => sql`update project set "Remark" = ${text} where "Id" = ${Id}`
  const now = async (db = kit.database.system) => (await db.rows<Project>(sql`select "Remark" from project where "Id" = ${Id}`))[0]!.Remark
  await tx((db) => db.deferred(remark('with the commit')))
  expect(await now()).toBe('with the commit')
  await tx(async (db) => {
    await db.deferred(remark('before the question'))
    expect(await now(db)).toBe('before the question')
  })
  const undone = tx(async (db) => {
    await db.deferred(remark('undone'))
    throw new Error('no')
  })
  await expect(undone).rejects.toThrow('no')
  const broken = tx(async (db) => {
    await db.rows(remark('undone with it'))
    await db.deferred(sql`select 1 / 0`)
  })
  await expect(broken).rejects.toMatchObject({ code: '22012' })
  expect(await now()).toBe('before the question')
  expect(await rows(sql`select 1`)).toHaveLength(1)
})
