import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { project } from '../../contract/areas/projects.ts'
import type { Page } from '../../contract/base/call.ts'
import type { Row } from '../../contract/base/resource.ts'
import { maker } from '../testing/drafts.ts'
import { type Kit, startKit } from '../testing/kit.ts'

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
  expect(second.Errors).toContain('Somebody else')
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

it('a row that somebody holds takes one connection, however many want to change it: others get their lists meanwhile', async () => {
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
