import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Page } from '../../../../contract/call.ts'
import { languages } from '../../../../contract/languages.ts'
import { type Kit, startKit } from '../../../../main/testing/kit.ts'

type Row = { Id: number } & Record<string, unknown>
type Entry = { DataValue: string | number; DataName: string }

let kit: Kit
beforeAll(async () => {
  kit = await startKit()
})
afterAll(() => kit.close())

const valves = { DictCode: 'ValveKinds', DictName: 'Kinds of valves' }
const builtIn = ['CommonStatus', 'DataSetDic', 'SceneoptionsDic', 'TestDataTypeDic', 'TimeZoneDic', 'YesOrNoDic']
const typesOf = async (who: string) => (await kit.data<Page<Row>>(who, 'GET', '/System/Dict/List?PageSize=100&OrderColumn=DictCode')).Items
const typeOf = async (who: string, code: string) => (await typesOf(who)).find((d) => d.DictCode === code)!
const valuesOf = async (who: string, code: string, language = 'en', root = '/System') =>
  (
    await kit.call<Entry[]>(who, 'GET', `${root}/DataDict/DataInfoByDictValue?DictValue=${code}`, undefined, {
      'accept-language': language,
    })
  ).Data
const basicData = async (language = 'en') =>
  (
    await kit.call<{ DataDictionary: Record<string, Entry[]> }>('nobody', 'GET', '/System/BasicData', undefined, {
      'accept-language': language,
    })
  ).Data.DataDictionary

describe('the built-in dictionaries', () => {
  it('are there for every tenant from its beginning', async () => {
    await kit.person(
      'newcomer',
      (await kit.db.rows<{ Id: number }>(sql`insert into enterprise ("Name") values ('Newly made') returning "Id"`))[0]!.Id,
    )
    for (const who of ['owner', 'stranger', 'newcomer']) {
      expect((await typesOf(who)).filter((d) => d.IsSystem === 1).map((d) => d.DictCode)).toEqual(builtIn)
      for (const code of builtIn) expect((await valuesOf(who, code)).length, code).toBeGreaterThan(1)
    }
  })

  it('cannot be removed, nor can their values, while one’s own can', async () => {
    const own = await kit.data<Row>('platform', 'POST', '/System/Dict', { ...valves, EnterpriseId: kit.enterprises.ours })
    const standard = await typeOf('owner', 'CommonStatus')
    const [value] = (await kit.data<Page<Row>>('owner', 'GET', `/System/DataDict/List?DictId=${standard.Id}`)).Items
    for (const [who, path, Id] of [
      ['platform', '/System/Dict', standard.Id],
      ['owner', '/System/DataDict', value!.Id],
    ] as const) {
      expect(await kit.call(who, 'DELETE', path, { Id })).toMatchObject({ StatusCode: 409, Details: { Fault: 'builtIn' } })
      expect(await kit.data('owner', 'GET', `${path}?Id=${Id}`)).toMatchObject({ IsSystem: 1 })
    }
    // All or nothing.
    const both = { Ids: [own.Id, standard.Id] }
    expect(await kit.call('platform', 'DELETE', '/System/Dict/BatchDelete', both)).toMatchObject({ Details: { Fault: 'builtIn' } })
    const ball = await kit.data<Row>('owner', 'POST', '/System/DataDict', { DictId: own.Id, DataValue: 'ball', DataName: 'Ball valve' })
    expect(await kit.call('platform', 'DELETE', '/System/Dict', { Id: own.Id })).toMatchObject({
      StatusCode: 409,
      Details: { UsedBy: [{ Resource: 'dataDict', Id: ball.Id, Title: 'Ball valve' }] },
    })
    expect(await kit.data('owner', 'DELETE', '/System/DataDict', { Id: ball.Id })).toEqual({ Removed: 1 })
    expect(await kit.data('platform', 'DELETE', '/System/Dict', { Id: own.Id })).toEqual({ Removed: 1 })
  })

  it('say nothing of another tenant’s when asked to be removed', async () => {
    const { Id: DictId } = await typeOf('stranger', 'CommonStatus')
    const [foreign] = (await kit.data<Page<Row>>('stranger', 'GET', `/System/DataDict/List?DictId=${DictId}`)).Items
    expect(await kit.call('owner', 'DELETE', '/System/DataDict', { Id: foreign!.Id })).toMatchObject({ StatusCode: 404 })
  })
})

describe('the types of dictionaries', () => {
  it('are the platform’s to add, change and remove, for any tenant, and the tenant’s to read', async () => {
    const draft = { DictCode: 'PumpKinds', DictName: 'Kinds of pumps' }
    expect(await kit.call('owner', 'POST', '/System/Dict', draft)).toMatchObject({ StatusCode: 403 })
    const { Id } = await kit.data<Row>('platform', 'POST', '/System/Dict', { ...draft, EnterpriseId: kit.enterprises.ours })
    expect(await kit.data('owner', 'GET', `/System/Dict?Id=${Id}`)).toMatchObject({ ...draft, IsSystem: 0 })
    expect(await kit.call('stranger', 'GET', `/System/Dict?Id=${Id}`)).toMatchObject({ StatusCode: 404 })
    expect(await kit.call('owner', 'PUT', '/System/Dict', { Id, DictName: 'Mine' })).toMatchObject({ StatusCode: 403 })
    expect(await kit.data('platform', 'PUT', '/System/Dict', { Id, DictName: 'Pumps', DictCode: 'Other' })).toMatchObject({
      DictName: 'Pumps',
      DictCode: 'PumpKinds',
    })
    const again = { ...draft, EnterpriseId: kit.enterprises.ours }
    expect(await kit.call('platform', 'POST', '/System/Dict', again)).toMatchObject({ StatusCode: 409 })
    expect(await kit.call('platform', 'POST', '/System/Dict', { ...again, DictCode: 'not a code' })).toMatchObject({ StatusCode: 400 })
  })
})

describe('the values of a dictionary', () => {
  it('grow for one tenant only, and are named in the language of the caller', async () => {
    const { Id: DictId } = await typeOf('owner', 'SceneoptionsDic')
    const names = { NameZh: '污水处理厂', NameEs: 'Depuradora', NameJa: '下水処理場' }
    await kit.data('owner', 'POST', '/System/DataDict', { DictId, DataValue: '20', DataName: 'Sewage works', Sort: 100, ...names })
    for (const [language, name] of [['en', 'Sewage works'], ...['zh', 'es', 'ja'].map((l, i) => [l, Object.values(names)[i]!])])
      for (const root of ['/System', '/Project'])
        expect((await valuesOf('owner', 'SceneoptionsDic', language, root)).at(-1)).toMatchObject({ DataValue: '20', DataName: name })
    expect((await valuesOf('stranger', 'SceneoptionsDic')).map((e) => e.DataValue)).not.toContain('20')
  })

  it('leave the lists when they are disabled', async () => {
    const { Id } = await typeOf('owner', 'DataSetDic')
    const [first] = (await kit.data<Page<Row>>('owner', 'GET', `/System/DataDict/List?DictId=${Id}`)).Items
    const before = await valuesOf('owner', 'DataSetDic')
    await kit.data('owner', 'PUT', '/System/DataDict', { Id: first!.Id, Status: 0 })
    expect(await valuesOf('owner', 'DataSetDic')).toEqual(before.slice(1))
    expect((await basicData()).DataSetDic).toHaveLength(before.length - 1)
  })

  it('of a dictionary that does not exist are not found', async () => {
    expect(await kit.call('owner', 'GET', '/System/DataDict/DataInfoByDictValue?DictValue=Nonsense')).toMatchObject({ StatusCode: 404 })
  })
})

describe('basic data', () => {
  it('holds every group, in four languages', async () => {
    const names = new Set<string>()
    for (const language of languages) {
      const groups = await basicData(language)
      expect(Object.keys(groups)).toEqual(expect.arrayContaining(builtIn))
      names.add(groups.CommonStatus!.map((e) => e.DataName).join())
    }
    expect(names.size).toBe(languages.length)
  })

  it('[dict-testdatatype-number] gives the values of TestDataTypeDic as numbers, and only those', async () => {
    const { TestDataTypeDic, CommonStatus } = await basicData()
    expect(TestDataTypeDic!.map((e) => e.DataValue)).toEqual([0, 1, 31, 2, 32, 3, 4, 5, 6, 33, 34, 35, 36, 7, 8, 9, 10])
    expect(CommonStatus!.map((e) => e.DataValue)).toEqual(['1', '0'])
  })

  it('[dict-timezone] gives time zones as DataValue and DataName, each one that the clock knows', async () => {
    const { TimeZoneDic } = await basicData('zh')
    expect(TimeZoneDic).toContainEqual({ DataValue: 'Asia/Shanghai', DataName: '北京、上海', Colour: null })
    for (const { DataValue } of TimeZoneDic!) expect(() => new Intl.DateTimeFormat('en', { timeZone: String(DataValue) })).not.toThrow()
  })
})

it('a company has at most 10,000 values: each console reads them all', async () => {
  const own = await kit.data<Row>('platform', 'POST', '/System/Dict', {
    DictCode: 'Many',
    DictName: 'Many',
    EnterpriseId: kit.enterprises.ours,
  })
  await kit.db.rows(sql`
    insert into data_dict ("EnterpriseId", "DictId", "DataValue", "DataName")
    select ${kit.enterprises.ours}, ${own.Id}, 'v' || n, 'n' || n from generate_series(1, 9999 - (select count(*)::int from data_dict where "EnterpriseId" = ${kit.enterprises.ours})) n`)
  const refused = { StatusCode: 403, Errors: expect.stringContaining('10000'), Details: { Fault: 'noRoomRecords' } }
  const add = (DataValue: string) => kit.call('owner', 'POST', '/System/DataDict', { DictId: own.Id, DataValue, DataName: DataValue })
  expect(await kit.upload('owner', '/System/DataDict/Import', `DictId,DataValue,DataName\n#${own.Id},a,A\n#${own.Id},b,B\n`)).toMatchObject(
    refused,
  )
  expect(await add('a')).toMatchObject({ Succeeded: true })
  expect(await add('b')).toMatchObject(refused)
  await kit.db.rows(sql`delete from data_dict where "DictId" = ${own.Id}`)
})
