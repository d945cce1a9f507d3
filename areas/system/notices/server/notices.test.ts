import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Page } from '../../../../contract/call.ts'
import { noticeTabs } from '../contract.ts'
import { type Area, type Item, startArea } from './harness.ts'

let area: Area
beforeAll(async () => {
  area = await startArea()
})
afterAll(() => area.close())
beforeEach(() => area.reset())

describe('a tab', () => {
  it('[notice-biztypes-announcements] [notice-biztypes-notifications] [notice-biztypes-alarms] holds its business types and nothing else', async () => {
    await area.publish()
    for (const BizType of [1, 2, 3, 4, 11, 12] as const) await area.tell({ BizType })
    const types = async (tab: keyof typeof noticeTabs) =>
      (await area.list('owner', { BizTypeList: noticeTabs[tab].types })).Items.map((n) => n.BizType).sort((a, b) => a - b)
    expect(await types('announcements')).toEqual([7])
    expect(await types('notifications')).toEqual([3, 4, 11])
    expect(await types('alarms')).toEqual([1, 2, 12])
  })

  it('[notice-unread-fields] has its unread count under its own name, equal to its list, and the alarm counts beside', async () => {
    await area.publish()
    for (const BizType of [1, 2, 2, 3, 4, 11, 12] as const) await area.tell({ BizType })
    expect(await area.counts('owner')).toEqual({
      UnReadCount_GongGao: 1,
      UnReadCount_WuLianKa: 3,
      UnReadCount_SheBei: 4,
      TotalCount: 0,
      DeviceHightTotalCount: 0,
      DeviceTotalCount: 0,
      GatewayOnoffTotalCount: 0,
      GatewayPowerTotalCount: 0,
    })
    await area.expectBadges('owner')
    await area.kit.data('owner', 'POST', '/System/Notice/Read', { BizTypeList: [2], OPType: 1 })
    expect(await area.counts('owner')).toMatchObject({ UnReadCount_SheBei: 2, UnReadCount_WuLianKa: 3 })
    await area.expectBadges('owner')
    expect(await area.kit.data('owner', 'GET', '/V3/System/Notice/UnReadCount_APP_Common')).toEqual(await area.counts('owner'))
  })

  it('[notice-paging] comes in pages of 10, newest first, and says whether there are more', async () => {
    for (let i = 0; i < 12; i++) await area.tell()
    const query = { PageIndex: 1, PageSize: 10, OrderColumn: 'CreateTime', OrderType: 'descending' }
    const first = await area.list('owner', query)
    const second = await area.kit.data<Page<Item>>(
      'owner',
      'GET',
      '/System/Notice/UserNoticeList?PageIndex=2&OrderColumn=CreateTime&OrderType=descending',
    )
    expect([first.Items.length, first.HasNextPages, first.TotalCount]).toEqual([10, true, 12])
    expect([second.Items.length, second.HasNextPages, second.PageSize]).toEqual([2, false, 10])
    const ids = [...first.Items, ...second.Items].map((n) => n.Id)
    expect(ids).toEqual([...ids].sort((a, b) => b - a))
    expect(new Set(ids).size).toBe(12)
  })
})

describe('a notice', () => {
  it('[notice-open-read] that is opened is read for that person alone, once, and his other consoles hear of it', async () => {
    const { Id } = await area.publish()
    await vi.waitFor(() => expect(area.sent().some(({ notice }) => notice.Id === Id && notice.Event === 'published')).toBe(true))
    const read = () => area.kit.data('reader', 'POST', '/System/Notice/Read', { BizTypeList: [7], MsgIds: [Id], OPType: 1 })
    expect(await read()).toEqual({ Changed: 1 })
    expect(await read()).toEqual({ Changed: 0 })
    expect((await area.list('reader')).Items[0]).toMatchObject({ Id, ReadStatus: 2 })
    expect((await area.list('owner')).Items[0]).toMatchObject({ Id, ReadStatus: 1 })
    const mine = area.sent().filter(({ notice }) => notice.Event === 'state')
    expect(mine.map(({ to }) => to)).toEqual([{ EnterpriseId: area.kit.enterprises.ours, users: [area.kit.people.get('reader')!.id] }])
    await area.expectBadges('reader')
  })

  it('[notice-pin] a pinned notice comes first for that person, whatever page it was on', async () => {
    const { Id } = await area.publish({ PushTitle: 'Old' })
    for (let i = 0; i < 12; i++) await area.tell()
    expect(await area.kit.data('owner', 'POST', '/V3/System/Notice/FirstPage', { Id, IsFirstPage: 1 })).toEqual({ Changed: 1 })
    const pages = await Promise.all([1, 2].map((PageIndex) => area.list('owner', { PageIndex })))
    expect(pages[0]!.Items[0]).toMatchObject({ Id, IsFirstPage: 1, ReadStatus: 1 })
    expect(new Set(pages.flatMap((p) => p.Items.map((n) => n.Id))).size).toBe(13)
    expect((await area.list('reader')).Items[0]!.Id).not.toBe(Id)
    await area.kit.data('owner', 'POST', '/System/Notice/FirstPage', { Id, IsFirstPage: 0 })
    expect((await area.list('owner', { PageIndex: 2 })).Items.at(-1)).toMatchObject({ Id, IsFirstPage: 0 })
  })

  it('is in the reader’s language', async () => {
    await area.tell({ BizType: 2, WordValues: { GatewayName: 'North', SN: 'N1', ProjectName: 'P' } })
    const as = async (language: string) =>
      (await area.kit.call<Page<Item>>('owner', 'POST', '/System/Notice/NoticeList', {}, { 'accept-language': language })).Data.Items[0]!
        .PushTitle
    expect([await as('en'), await as('es')]).toEqual(['North is offline', 'North está sin conexión'])
  })

  it('is cleaned before it is stored, when it is made and when it is changed', async () => {
    const { Id } = await area.publish({ PushContent: '<p onclick="x()">a</p><script>alert(1)</script>' })
    const content = async () => (await area.kit.data<Item>('reader', 'GET', `/System/Notice/NoticeDetail_APP_Common?Id=${Id}`)).PushContent
    expect(await content()).toBe('<p>a</p>')
    await area.kit.data('owner', 'PUT', '/System/Notice', { Id, PushContent: '<img src=x onerror=alert(1)>b' })
    expect(await content()).toBe('b')
  })

  it('appears at its time and goes at its end', async () => {
    await area.publish({ PushTitle: 'Past', ExpireTime: '2020-01-01 00:00:00' })
    await area.publish({ PushTitle: 'Future', PublishTime: '2999-01-01 00:00:00' })
    await area.publish({ PushTitle: 'Now', PublishTime: '2020-01-01 00:00:00', ExpireTime: '2999-01-01 00:00:00' })
    expect(await area.titles('reader')).toEqual(['Now'])
    await area.expectBadges('reader')
  })

  it('is searched by its title', async () => {
    await area.publish({ PushTitle: 'Water 100 %' })
    await area.publish({ PushTitle: 'Air' })
    expect(await area.titles('reader', { Search: '100 %' })).toEqual(['Water 100 %'])
    for (const field of ['Nonsense', 'toString', 'constructor'])
      expect(await area.kit.call('reader', 'POST', '/System/Notice/NoticeList', { [field]: 1 })).toMatchObject({ StatusCode: 400 })
  })

  it('is kept for 180 days', async () => {
    await area.tell()
    await area.kit.db.rows(sql`update notice set "CreateTime" = now() - interval '181 days'`)
    await area.tell()
    await area.stop()
    area.run()
    await vi.waitFor(async () => expect(await area.kit.db.rows(sql`select 1 from notice`)).toHaveLength(1))
  })
})

describe('an announcement', () => {
  it('reaches the people, roles and organisations it names, and only them by hub', async () => {
    const { id } = area.kit.people.get('reader')!
    const { Roles } = await area.kit.data<{ Roles: { Id: number; Name: string }[] }>('owner', 'GET', '/System/Notice/Users')
    await area.publish({ PushTitle: 'To one', UserIds: [id] })
    await area.publish({ PushTitle: 'To a role', RoleIds: [Roles.find((r) => r.Name === 'viewer')!.Id] })
    expect(await area.titles('reader')).toEqual(['To one'])
    expect(await area.titles('viewer')).toEqual(['To a role'])
    expect(await area.titles('owner')).toEqual([])
    for (const person of ['reader', 'viewer', 'owner']) await area.expectBadges(person)
    await vi.waitFor(() => expect(area.sent().filter(({ to }) => to.users?.[0] === id && to.users.length === 1)).toHaveLength(1))
    const { Items } = await area.kit.data<Page<Item>>('owner', 'GET', '/System/Notice/List')
    expect(Items.map((n) => n.PushTitle).sort()).toEqual(['To a role', 'To one'])
    const readers = await area.kit.data<{ Items: { Id: number; ReadStatus: number }[] }>(
      'owner',
      'GET',
      `/System/Notice/NoticeUsers?Id=${Items.find((n) => n.PushTitle === 'To one')!.Id}`,
    )
    expect(readers.Items).toEqual([expect.objectContaining({ Id: id, ReadStatus: 1 })])
  })

  it('names nobody of another tenant', async () => {
    const stranger = area.kit.people.get('stranger')!.id
    for (const UserIds of [[stranger], [999_999]])
      expect(await area.kit.call('owner', 'POST', '/System/Notice', { PushTitle: 'x', UserIds })).toMatchObject({
        StatusCode: 400,
        Details: { Fields: { UserIds: [expect.any(String)] } },
      })
  })

  it('is written, changed and removed by who holds the button; all may read theirs', async () => {
    const { Id } = await area.publish()
    for (const [method, body] of [
      ['POST', { PushTitle: 'x' }],
      ['PUT', { Id, PushTitle: 'x' }],
      ['DELETE', { Id }],
    ] as const)
      for (const person of ['viewer', 'reader', 'nobody'])
        expect(await area.kit.call(person, method, '/System/Notice', body)).toMatchObject({ StatusCode: 403 })
    expect(await area.titles('nobody')).toEqual(['Stop on Monday'])
    expect(await area.kit.data('owner', 'DELETE', '/System/Notice/BatchDelete', { Ids: [Id] })).toEqual({ Removed: 1 })
    expect(await area.titles('nobody')).toEqual([])
  })

  it('is the only thing that can be removed: what the server noticed stays', async () => {
    await area.tell()
    const { Id } = (await area.list('owner')).Items[0]!
    expect(await area.kit.call('owner', 'DELETE', '/System/Notice', { Id })).toMatchObject({ StatusCode: 404 })
    expect(await area.kit.call('owner', 'PUT', '/System/Notice', { Id, PushTitle: 'x' })).toMatchObject({ StatusCode: 404 })
  })

  it('of one tenant does not exist for another, in lists, counts, reads and pins', async () => {
    const { Id } = await area.publish()
    await area.tell({ BizType: 1 })
    expect((await area.list('stranger')).TotalCount).toBe(0)
    expect(await area.counts('stranger')).toMatchObject({ UnReadCount_GongGao: 0, UnReadCount_SheBei: 0 })
    for (const [method, path, body] of [
      ['GET', `NoticeDetail_APP_Common?Id=${Id}`],
      ['GET', `NoticeUsers?Id=${Id}`],
      ['POST', 'Read', { MsgIds: [Id] }],
      ['POST', 'FirstPage', { Id, IsFirstPage: 1 }],
    ] as const)
      expect(await area.kit.call('stranger', method, `/System/Notice/${path}`, body)).toMatchObject({ StatusCode: 404 })
    expect(await area.kit.call('stranger', 'PUT', '/System/Notice', { Id, PushTitle: 'x' })).toMatchObject({ StatusCode: 404 })
    expect(await area.kit.data('stranger', 'POST', '/System/Notice/Read', { BizTypeList: [1, 7] })).toEqual({ Changed: 0 })
    expect(await area.kit.db.rows(sql`select 1 from notice_user`)).toEqual([])
  })
})
