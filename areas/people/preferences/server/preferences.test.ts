import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Kit, startKit } from '../../../../main/testing/kit.ts'
import type { Change } from '../../../../server/database/db.ts'

let kit: Kit
beforeAll(async () => {
  kit = await startKit()
})
afterAll(() => kit?.close())

const table = (as: string, name: string) => kit.data(as, 'GET', `/System/User/MenuTable?MenuEncoding=${name}`)
const column = { Field: 'GatewayName', Width: 200, Fixed: 'left', Visible: 1, Sort: 0 }

describe('the theme set', () => {
  it('[theme-load] is nothing for somebody who never chose, and what was saved after', async () => {
    const { id } = kit.people.get('owner')!
    expect(await kit.data('owner', 'GET', `/System/ThemeSet?UserId=${id}`)).toBeNull()
    const given = { ThemeColor: '00AA55', BFooter: false, BTabbar: 1, Id: 77, UserId: 12345, Mode: 'dark' }
    const saved = await kit.data('owner', 'POST', '/System/ThemeSet', given)
    expect(saved).toMatchObject({ UserId: id, ThemeColor: '#00aa55', BFooter: 0, BTabbar: 1, Sidebar: '#14202f', Mode: 'dark' })
    expect(await kit.data('owner', 'GET', '/System/ThemeSet')).toEqual(saved)
  })

  it('keeps what a later call does not name', async () => {
    await kit.data('viewer', 'POST', '/System/ThemeSet', { ThemeColor: '#aa0055', BSidebarLogo: 0 })
    expect(await kit.data('viewer', 'POST', '/System/ThemeSet', { BCompact: 1 })).toMatchObject({
      ThemeColor: '#aa0055',
      BSidebarLogo: 0,
      BCompact: 1,
    })
  })

  it('of somebody else does not exist, in the same tenant neither', async () => {
    for (const other of ['viewer', 'stranger'])
      expect(await kit.call('owner', 'GET', `/System/ThemeSet?UserId=${kit.people.get(other)!.id}`)).toMatchObject({ StatusCode: 404 })
  })

  it('refuses what is no colour and no switch', async () => {
    for (const bad of [{ ThemeColor: 'red; x:url(//a)' }, { ThemeColor: 5 }, { Sidebar: '#12345' }, { BFooter: 2 }, { Mode: 'pink' }])
      expect(await kit.call('owner', 'POST', '/System/ThemeSet', bad)).toMatchObject({ StatusCode: 400 })
  })
})

describe('table preferences', () => {
  it('[table-prefs] keep row height and header for each person and list, and reset the header', async () => {
    const asFirst = { MenuEncoding: 'm10102.gateway', RowHeight: 32, Columns: [], Views: [] }
    expect(await table('owner', 'm10102.gateway')).toEqual(asFirst)
    await kit.data('owner', 'POST', '/System/User/TableRowHeight', { MenuEncoding: 'm10102.gateway', RowHeight: 48 })
    await kit.data('owner', 'POST', '/System/User/TableHeader', { MenuEncoding: 'm10102.gateway', Columns: [column] })
    expect(await table('owner', 'm10102.gateway')).toEqual({ ...asFirst, RowHeight: 48, Columns: [column] })
    expect(await table('viewer', 'm10102.gateway')).toEqual(asFirst)
    expect(await table('owner', 'm10103.device')).toMatchObject({ RowHeight: 32, Columns: [] })
    await kit.data('owner', 'POST', '/System/User/ResetTableHeader', { MenuEncoding: 'm10102.gateway' })
    expect(await table('owner', 'm10102.gateway')).toEqual(asFirst)
  })

  it('keep saved views beside them, which a reset leaves', async () => {
    const Views = [
      { Name: 'Offline', Query: 'OnlineStatus=0&sort=-Id', IsDefault: 1 },
      { Name: '夜班', Query: 'q=night', IsDefault: 0 },
    ]
    await kit.data('viewer', 'POST', '/System/User/TableViews', { MenuEncoding: 'm10102.gateway', Views })
    await kit.data('viewer', 'POST', '/System/User/ResetTableHeader', { MenuEncoding: 'm10102.gateway' })
    expect(await table('viewer', 'm10102.gateway')).toMatchObject({ Views })
    expect(await table('owner', 'm10102.gateway')).toMatchObject({ Views: [] })
  })

  it('refuse a field twice, a view twice, two defaults, and more than fits', async () => {
    const MenuEncoding = 'm10101.project'
    const view = { Name: 'One', Query: '', IsDefault: 1 }
    const refused: [string, object][] = [
      ['TableHeader', { Columns: [column, column] }],
      ['TableHeader', { Columns: [{ ...column, Width: 5000 }] }],
      ['TableHeader', { Columns: Array.from({ length: 101 }, (_, i) => ({ ...column, Field: `F${i}` })) }],
      ['TableViews', { Views: [view, { ...view, Name: ' oNE', IsDefault: 0 }] }],
      ['TableViews', { Views: [view, { ...view, Name: 'Two' }] }],
      ['TableViews', { Views: [{ ...view, Name: '  ' }] }],
      ['TableViews', { Views: [{ ...view, Query: 'x'.repeat(2001) }] }],
      ['TableRowHeight', { RowHeight: 5 }],
      ['TableRowHeight', { RowHeight: '48' }],
    ]
    for (const [call, body] of refused)
      expect(
        await kit.call('owner', 'POST', `/System/User/${call}`, { MenuEncoding, ...body }),
        `${call} ${JSON.stringify(body)}`,
      ).toMatchObject({
        StatusCode: 400,
      })
    expect(await kit.call('owner', 'GET', `/System/User/MenuTable?MenuEncoding=${encodeURIComponent("'; drop")}`)).toMatchObject({
      StatusCode: 400,
    })
    expect(await table('owner', MenuEncoding)).toMatchObject({ Columns: [], Views: [] })
  })

  it('are bounded for each person', async () => {
    await kit.person('collector', kit.enterprises.ours)
    const save = (i: number) => kit.call('collector', 'POST', '/System/User/TableRowHeight', { MenuEncoding: `list${i}`, RowHeight: 40 })
    for (let i = 0; i < 300; i++) await save(i)
    expect(await save(300)).toMatchObject({ Succeeded: false, Details: { Fault: 'tooMany' } })
    expect(await save(7)).toMatchObject({ Succeeded: true })
  })

  it('are announced to the tenant’s consoles with the person’s Id, after the commit', async () => {
    const heard: Change[] = []
    const stop = kit.database.onChange((change) => heard.push(change))
    await kit.data('owner', 'POST', '/System/User/TableRowHeight', { MenuEncoding: 'm10104.point', RowHeight: 40 })
    await kit.data('owner', 'POST', '/System/ThemeSet', { BFooter: 1 })
    stop()
    const { id, enterprise } = kit.people.get('owner')!
    const told = { id, verb: 'update', EnterpriseId: enterprise }
    expect(heard).toEqual([
      { resource: 'tablePreference', ...told },
      { resource: 'themeSet', ...told },
    ])
  })
})

it('answers the buttons of a menu that the caller may press', async () => {
  const buttons = (as: string) => kit.data<string[]>(as, 'POST', '/System/User/MenuBtns', { MenuEncoding: 'm10101' })
  expect((await buttons('owner')).sort()).toEqual(['m10101.add', 'm10101.edit', 'm10101.remove'])
  expect(await buttons('viewer')).toEqual([])
})

describe('basic data', () => {
  type Groups = Record<string, { DataValue: string | number; DataName: string }[]>
  const groups = () => kit.data<Groups>('nobody', 'GET', '/System/DictData/AllDefaultDictValue')

  it('[dict-testdatatype-number] values of TestDataTypeDic are numbers', async () => {
    const { TestDataTypeDic } = await groups()
    expect(TestDataTypeDic!.map((d) => d.DataValue)).toContain(36)
    expect(TestDataTypeDic!.every((d) => typeof d.DataValue === 'number' && d.DataName.length > 0)).toBe(true)
  })

  it('[dict-timezone] entries of TimeZoneDic have DataValue and DataName', async () => {
    const { TimeZoneDic } = await groups()
    expect(TimeZoneDic).toContainEqual({ DataValue: 'Asia/Shanghai', DataName: '(UTC+08:00) Asia/Shanghai' })
    expect(TimeZoneDic).toContainEqual({ DataValue: 'UTC', DataName: '(UTC+00:00) UTC' })
  })

  it('has the groups of the specification, in the caller’s language', async () => {
    expect(Object.keys(await groups())).toEqual([
      'CommonStatus',
      'SceneoptionsDic',
      'DataSetDic',
      'YesOrNoDic',
      'TestDataTypeDic',
      'TimeZoneDic',
    ])
    const { Data } = await kit.call<Groups>('nobody', 'GET', '/System/DictData/AllDefaultDictValue', undefined, { 'accept-language': 'es' })
    expect(Data.CommonStatus).toEqual([
      { DataValue: 1, DataName: 'Habilitado' },
      { DataValue: 0, DataName: 'Deshabilitado' },
    ])
  })

  it('lists the four languages by their own names', async () => {
    expect(await kit.data('nobody', 'GET', '/V3/System/Language/List')).toMatchObject({
      TotalCount: 4,
      Items: [{ LanguageName: 'English' }, { LanguageCode: 'zh' }, { LanguageCode: 'es' }, { LanguageName: '日本語' }],
    })
  })
})
