import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Page } from '../../../../contract/call.ts'
import { maker } from '../../../../main/testing/drafts.ts'
import { type Kit, startKit } from '../../../../main/testing/kit.ts'
import { organ } from '../contract.ts'

type Row = { Id: number } & Record<string, unknown>

let kit: Kit
beforeAll(async () => {
  kit = await startKit()
})
afterAll(() => kit.close())

let count = 0
const add = (ParentOrganId?: number, OrganName = `Organisation ${++count}`) =>
  kit.data<Row>('owner', 'POST', '/System/Organ', { OrganName, ...(ParentOrganId ? { ParentOrganId } : {}) })
const chain = async (length: number) => {
  const made: Row[] = []
  for (let i = 0; i < length; i++) made.push(await add(made.at(-1)?.Id))
  return made
}
const below = async (parent: number) =>
  (await kit.data<Page<Row>>('owner', 'GET', `/System/Organ/List?ParentOrganId=${parent}`)).Items.map((o) => o.Id)

describe('a tree of organisations', () => {
  it('is at most eight levels deep, however a record gets there', async () => {
    const eight = await chain(8)
    expect(await kit.call('owner', 'POST', '/System/Organ', { OrganName: 'Ninth', ParentOrganId: eight[7]!.Id })).toMatchObject({
      StatusCode: 400,
      Details: { Fields: { ParentOrganId: ['The tree may have at most 8 levels. Choose a place higher up.'] } },
    })
    // Three levels do not fit below the sixth, two do.
    const three = await chain(3)
    const put = (ParentOrganId: number) => kit.call('owner', 'PUT', '/System/Organ', { Id: three[0]!.Id, ParentOrganId })
    expect(await put(eight[5]!.Id)).toMatchObject({ StatusCode: 400, Details: { Fields: { ParentOrganId: [expect.any(String)] } } })
    expect(await put(eight[4]!.Id)).toMatchObject({ Succeeded: true })
  })

  it('has no circles, also when two moves at once would close one', async () => {
    const [top, , bottom] = await chain(3)
    const move = (Id: number, ParentOrganId: number | null) => kit.call('owner', 'PUT', '/System/Organ/Move', { Id, ParentOrganId })
    for (const under of [top!.Id, bottom!.Id]) expect(await move(top!.Id, under)).toMatchObject({ StatusCode: 400 })
    for (let i = 0; i < 5; i++) {
      const [a, b] = [await add(), await add()]
      const outcomes = await Promise.all([move(a.Id, b.Id), move(b.Id, a.Id)])
      expect(outcomes.map((o) => o.StatusCode).sort()).toEqual([200, 400])
    }
  })

  it('keeps its records in the order they were put in', async () => {
    const parent = await add()
    const [a, b, c] = [await add(parent.Id), await add(parent.Id), await add(parent.Id)]
    expect(await below(parent.Id)).toEqual([a.Id, b.Id, c.Id])
    await kit.data('owner', 'PUT', '/System/Organ/Move', { Id: c.Id, ParentOrganId: parent.Id, Before: a.Id })
    expect(await below(parent.Id)).toEqual([c.Id, a.Id, b.Id])
    await kit.data('owner', 'PUT', '/System/Organ/Move', { Id: c.Id, ParentOrganId: parent.Id })
    expect(await below(parent.Id)).toEqual([a.Id, b.Id, c.Id])
    const other = await add()
    expect(await kit.data('owner', 'PUT', '/System/Organ/Move', { Id: b.Id, ParentOrganId: other.Id, Before: a.Id })).toMatchObject({
      ParentOrganId: other.Id,
    })
    expect(await below(parent.Id)).toEqual([a.Id, c.Id])
  })

  it('renames in place and refuses a name that is taken', async () => {
    const [a, b] = [await add(), await add()]
    expect(await kit.data('owner', 'PUT', '/System/Organ/ReName', { Id: a.Id, OrganName: 'Renamed works' })).toMatchObject({
      OrganName: 'Renamed works',
    })
    expect(await kit.call('owner', 'PUT', '/System/Organ/ReName', { Id: b.Id, OrganName: 'Renamed works' })).toMatchObject({
      StatusCode: 409,
      Details: { Fields: { OrganName: [expect.any(String)] } },
    })
    expect(await kit.call('owner', 'PUT', '/System/Organ/ReName', { Id: b.Id })).toMatchObject({ StatusCode: 400 })
    const of = (DepartmentName: string) => kit.data<Row>('owner', 'POST', '/System/Department', { DepartmentName, BelongOrganId: a.Id })
    const [one, two] = [await of('Day'), await of('Night')]
    await kit.data('owner', 'PUT', '/System/Department/ReName', { Id: one.Id, DepartmentName: 'Early' })
    expect(await kit.data('owner', 'GET', `/System/Department?Id=${one.Id}`)).toMatchObject({ DepartmentName: 'Early' })
    expect(await kit.data('owner', 'DELETE', '/System/Department/BatchDelete', { Ids: [one.Id, two.Id] })).toEqual({ Removed: 2 })
  })

  it('removes nothing that is in use, and says what uses it', async () => {
    const parent = await add()
    const child = await add(parent.Id)
    const remove = (Id: number) => kit.call('owner', 'DELETE', '/System/Organ', { Id })
    expect(await remove(parent.Id)).toMatchObject({
      StatusCode: 409,
      Details: { UsedBy: [{ Resource: 'organ', Id: child.Id, Title: child.OrganName }] },
    })
    await kit.data('owner', 'POST', '/Project/Project', { ProjectName: 'Uses it', BelongOrganId: child.Id })
    const userId = await kit.person('member', kit.enterprises.ours)
    await kit.db.rows(sql`update "user" set "BelongOrganId" = ${child.Id} where "Id" = ${userId}`)
    const department = await kit.data<Row>('owner', 'POST', '/System/Department', { DepartmentName: 'Pumps', BelongOrganId: child.Id })
    const refused = await remove(child.Id)
    expect(refused.StatusCode).toBe(409)
    expect(refused.Details!.UsedBy!.map((u) => u.Resource).sort()).toEqual(['department', 'project', 'user'])
    await kit.db.rows(sql`update "user" set "BelongOrganId" = null, "DepartmentId" = ${department.Id} where "Id" = ${userId}`)
    expect(await kit.call('owner', 'DELETE', '/System/Department', { Id: department.Id })).toMatchObject({
      StatusCode: 409,
      Details: { UsedBy: [{ Resource: 'user', Id: userId, Title: 'member' }] },
    })
  })

  it('answers the people of a record, a page at a time', async () => {
    const office = await add()
    const hall = await kit.data<Row>('owner', 'POST', '/System/Department', { DepartmentName: 'Hall', BelongOrganId: office.Id })
    for (const name of ['ann', 'bea', 'cyd']) {
      const id = await kit.person(name, kit.enterprises.ours)
      await kit.db.rows(sql`update "user" set "BelongOrganId" = ${office.Id}, "DepartmentId" = ${hall.Id} where "Id" = ${id}`)
    }
    for (const path of [`/System/Organ/Users?Id=${office.Id}`, `/System/Department/Users?Id=${hall.Id}`]) {
      const page = await kit.data<Page<Row>>('owner', 'GET', `${path}&PageSize=2`)
      expect(page).toMatchObject({ TotalCount: 3, Items: [{ UserNO: 'ann' }, { UserNO: 'bea' }] })
      expect(page.Items[0]).not.toHaveProperty('PasswordHash')
      expect((await kit.data<Page<Row>>('owner', 'GET', `${path}&Search=cyd`)).Items).toHaveLength(1)
      expect(await kit.call('stranger', 'GET', path)).toMatchObject({ StatusCode: 404 })
    }
  })

  it('[page-size-organisation] comes whole in one answer of up to 9999', async () => {
    await kit.db.rows(
      sql`insert into organ ("EnterpriseId", "OrganName") select ${kit.enterprises.theirs}, 'Branch ' || n from generate_series(1, 1500) n`,
    )
    const all = await kit.data<Page<Row>>('stranger', 'GET', '/System/Organ/List?PageIndex=1&PageSize=9999')
    expect(all).toMatchObject({ TotalCount: 1500, PageSize: 9999, HasNextPages: false })
    expect(all.Items).toHaveLength(1500)
    const usual = await kit.data<Page<Row>>('stranger', 'POST', '/System/Organ/List', { PageSize: 100 })
    expect(usual.Items).toHaveLength(100)
    expect(await kit.data('stranger', 'GET', '/System/Organ/List?PageSize=999999')).toMatchObject({ PageSize: 9999 })
  })

  it('is made below another tenant’s organisation by nobody, and in its tenant by a platform administrator', async () => {
    const foreign = await maker(kit, 'stranger').create(organ)
    const draft = { OrganName: 'Guest', ParentOrganId: foreign.Id }
    expect(await kit.call('owner', 'POST', '/System/Organ', draft)).toMatchObject({ StatusCode: 400 })
    expect(await kit.data('platform', 'POST', '/System/Organ', { ...draft, EnterpriseId: kit.enterprises.theirs })).toMatchObject({
      EnterpriseId: kit.enterprises.theirs,
    })
  })
})

describe('a department', () => {
  it('[startup-other-loads] is listed for signed-in people, by tenant and status', async () => {
    const office = await add()
    const of = (DepartmentName: string, Status: number) =>
      kit.data<Row>('owner', 'POST', '/System/Department', { DepartmentName, BelongOrganId: office.Id, Status })
    const [open] = [await of('Open', 1), await of('Closed', 0)]
    const list = `/System/Department/List?EnterpriseId=${kit.enterprises.ours}&PageIndex=1&PageSize=9999&Status=1&BelongOrganId=${office.Id}`
    expect((await kit.data<Page<Row>>('nobody', 'GET', list)).Items.map((d) => d.Id)).toEqual([open.Id])
  })

  it('can only move below a record of its own organisation', async () => {
    const [here, there] = [await add(), await add()]
    const of = (DepartmentName: string, BelongOrganId: number, ParentId?: number) =>
      kit.call<Row>('owner', 'POST', '/System/Department', { DepartmentName, BelongOrganId, ...(ParentId ? { ParentId } : {}) })
    const parent = (await of('Operations', here.Id)).Data
    expect(await of('Shift A', here.Id, parent.Id)).toMatchObject({ Succeeded: true })
    const refused = { StatusCode: 400, Details: { Fields: { ParentId: [expect.stringContaining('another organisation')] } } }
    expect(await of('Shift A', there.Id, parent.Id)).toMatchObject(refused)
    const stray = (await of('Stray', there.Id)).Data
    expect(await kit.call('owner', 'PUT', '/System/Department/Move', { Id: stray.Id, ParentId: parent.Id })).toMatchObject(refused)
    // The same name in another organisation is another department.
    expect(await of('Operations', there.Id)).toMatchObject({ Succeeded: true })
    expect(await of('Operations', here.Id)).toMatchObject({ StatusCode: 409 })
  })
})

describe('a region', () => {
  it('has a name once below the same parent, and moves with what is below it', async () => {
    const of = (RegionName: string, ParentId?: number) =>
      kit.call<Row>('owner', 'POST', '/System/Region', { RegionName, AreaCode: String(++count), ...(ParentId ? { ParentId } : {}) })
    const [north, south] = [(await of('North')).Data, (await of('South')).Data]
    expect(await of('North')).toMatchObject({ StatusCode: 409, Details: { Fields: { RegionName: [expect.any(String)] } } })
    const centre = (await of('Centre', north.Id)).Data
    expect(await of('Centre', south.Id)).toMatchObject({ Succeeded: true })
    const quarter = (await of('Quarter', centre.Id)).Data
    const taken = await kit.call('owner', 'PUT', '/System/Region/Move', { Id: centre.Id, ParentId: south.Id })
    expect(taken).toMatchObject({ StatusCode: 409 })
    await kit.data('owner', 'PUT', '/System/Region/ReName', { Id: centre.Id, RegionName: 'Old town' })
    await kit.data('owner', 'PUT', '/System/Region/Move', { Id: centre.Id, ParentId: south.Id })
    expect(await kit.data('owner', 'GET', `/System/Region?Id=${quarter.Id}`)).toMatchObject({ ParentId: centre.Id, ParentName: 'Old town' })
  })
})
