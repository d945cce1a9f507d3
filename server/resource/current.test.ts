// What people just changed is in every next list, whichever process wrote it.
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { gateway } from '../../areas/configuration/gateways/contract.ts'
import { project } from '../../areas/configuration/projects/contract.ts'
import type { Page } from '../../contract/call.ts'
import { type Kit, startKit } from '../../main/testing/kit.ts'

type Project = { Id: number; ProjectName: string; Remark: string | null }
let kit: Kit
/** Another process: its writes pass this one by. */
let elsewhere: pg.Client
beforeAll(async () => {
  kit = await startKit()
  await kit.person('colleague', kit.enterprises.ours)
  elsewhere = new pg.Client({ connectionString: kit.adminUrl })
  await elsewhere.connect()
})
afterAll(async () => {
  await elsewhere?.end()
  await kit?.close()
})

const list = (who: string, holds: string) => kit.data<Page<Project>>(who, 'GET', `${project.path}/List?ProjectName=${holds}&PageSize=200`)
/** The remarks of the rows, and how many rows there are. */
const shown = async (who: string, holds: string) => {
  const { Items, TotalCount } = await list(who, holds)
  return [Items.map((row) => row.Remark), TotalCount]
}
const create = (who: string, ProjectName: string) => kit.data<Project>(who, 'POST', project.path, { ProjectName, Remark: 'new' })

it('people who write and read at the same time: each finds all that he has written, counted, and so does his colleague', async () => {
  const work = async (who: string, reader: string, own: string) => {
    for (let i = 1; i <= 12; i++) {
      await create(who, `${own} ${i}`)
      const lists = await Promise.all([list(who, own), list(reader, own), list('platform', own)])
      for (const { Items, TotalCount } of lists) expect([Items.length, TotalCount]).toEqual([i, i])
    }
  }
  await Promise.all([
    ...['Una', 'Dua'].map((own) => work('owner', 'colleague', own)),
    work('colleague', 'owner', 'Tria'),
    ...['Quarta', 'Quinta'].map((own) => work('stranger', 'stranger', own)),
  ])
  expect(await shown('stranger', 'Una')).toEqual([[], 0])
})

it('a change and a removal are in the next list of everybody who may see them, asked for again and again', async () => {
  const { Id } = await create('owner', 'Changing')
  for (let i = 0; i < 10; i++) {
    for (const who of ['owner', 'colleague', 'platform']) expect(await shown(who, 'Changing')).toEqual([[i ? `${i}` : 'new'], 1])
    await kit.data('colleague', 'PUT', project.path, { Id, Remark: `${i + 1}` })
  }
  await kit.data('owner', 'DELETE', `${project.path}?Id=${Id}`)
  for (const who of ['owner', 'colleague', 'platform']) expect(await shown(who, 'Changing')).toEqual([[], 0])
})

it('what a list shows of another row is what that row says now', async () => {
  const { Id: ProjectId } = await create('owner', 'Named')
  await kit.data('owner', 'POST', gateway.path, { GatewayName: 'Gate', SN: 'CURRENT0001', ProjectId })
  const named = async () =>
    (await kit.data<Page<{ ProjectName: string }>>('colleague', 'GET', `${gateway.path}/List?SN=CURRENT0001`)).Items[0]!.ProjectName
  for (const ProjectName of ['Renamed', 'Named again']) {
    await named()
    await kit.data('owner', 'PUT', project.path, { Id: ProjectId, ProjectName })
    expect(await named()).toBe(ProjectName)
  }
})

it('what another process has not committed is in no list, and in all of them from its commit on', async () => {
  await elsewhere.query('begin')
  await elsewhere.query(`insert into project ("EnterpriseId", "ProjectName", "Remark") values ($1, 'Open', 'new')`, [kit.enterprises.ours])
  for (let i = 0; i < 3; i++) expect(await shown('owner', 'Open')).toEqual([[], 0])
  await elsewhere.query('commit')
  for (let i = 0; i < 3; i++) {
    for (const who of ['owner', 'platform']) expect(await shown(who, 'Open')).toEqual([[i ? `${i}` : 'new'], 1])
    await elsewhere.query(`update project set "Remark" = $1 where "ProjectName" = 'Open'`, [`${i + 1}`])
  }
  expect(await shown('owner', 'Open')).toEqual([['3'], 1])
})

it('what is undone was never in a list', async () => {
  const undone = kit.database.system.tx(async (db) => {
    await db.rows(sql`update project set "Remark" = 'undone'`)
    expect((await shown('owner', 'Open'))[0]).toEqual(['3'])
    throw new Error('undone')
  })
  await expect(undone).rejects.toThrow('undone')
  expect((await shown('owner', 'Open'))[0]).toEqual(['3'])
})
