import { expect, it } from 'vitest'
import { noticeTabs } from '../contract.ts'
import {
  asRead,
  badgeText,
  type Counts,
  countsOf,
  datePart,
  hasMore,
  linkOf,
  moreOf,
  moved,
  type Notice,
  newAlarms,
  openingTab,
  unread,
  unreadOf,
} from './notices.ts'

const counts = (given: Partial<Counts> = {}): Counts => ({
  UnReadCount_GongGao: 0,
  UnReadCount_WuLianKa: 0,
  UnReadCount_SheBei: 0,
  TotalCount: 0,
  DeviceHightTotalCount: 0,
  DeviceTotalCount: 0,
  GatewayOnoffTotalCount: 0,
  GatewayPowerTotalCount: 0,
  ...given,
})
const item = (Id: number, given: Partial<Notice> = {}): Notice => ({
  Id,
  EnterpriseId: 1,
  PushTitle: `Notice ${Id}`,
  PushContent: null,
  CreateTime: '2026-11-21 07:08:09',
  BizType: 7,
  ReadStatus: 1,
  IsFirstPage: 0,
  AlmRuleId: null,
  ObjectType: null,
  ObjectId: null,
  ...given,
})
const ids = (items: readonly Notice[]) => items.map((n) => n.Id)

it('[bell-max-99] a badge shows no more than 99', () => {
  expect([1, 98, 99, 100, 12_345].map(badgeText)).toEqual(['1', '98', '99', '99+', '99+'])
})

it('[counts-empty-below-1] counts below 1 are shown as nothing', () => {
  expect([0, -1, 0.4].map(badgeText)).toEqual(['', '', ''])
})

it('[notice-tab-unread] each tab has its own count, and the bell all of them', () => {
  const given = counts({ UnReadCount_GongGao: 1, UnReadCount_WuLianKa: 20, UnReadCount_SheBei: 300 })
  expect([unreadOf(given, 'announcements'), unreadOf(given, 'notifications'), unreadOf(given, 'alarms')]).toEqual([1, 20, 300])
  expect(unread(given)).toBe(321)
  expect(unread(null)).toBe(0)
})

it('[notice-tabs] the tabs share out every business type, none twice', () => {
  expect(Object.keys(noticeTabs)).toEqual(['announcements', 'notifications', 'alarms'])
  expect(Object.values(noticeTabs).flatMap((t) => [...t.types])).toEqual([7, 3, 4, 11, 1, 2, 12])
})

it('[notice-pin] a pinned item moves to the top, one that is pinned no more to the bottom', () => {
  const list = [item(3), item(2), item(1)]
  const pinned = moved(list, 1, 1)
  expect([ids(pinned), pinned[0]!.IsFirstPage]).toEqual([[1, 3, 2], 1])
  const taken = moved(pinned, 1, 0)
  expect([ids(taken), taken[2]!.IsFirstPage]).toEqual([[3, 2, 1], 0])
  expect(moved(list, 9, 1)).toEqual(list)
})

it('[notice-open-read] an opened item is read, the others as before', () => {
  expect(asRead([item(2), item(1)], 1).map((n) => n.ReadStatus)).toEqual([1, 2])
})

it('[notice-date-part] of the time the date is shown', () => {
  expect(datePart(item(1))).toBe('2026-11-21')
})

it('[notice-alarm-link] an alarm notice leads to the alarm page with its rule, without a rule to its object', () => {
  expect(linkOf(item(1, { AlmRuleId: 12, ObjectType: 'alarmInfo', ObjectId: 5 }))).toBe('/alarmManagement/alarmInfoMax?Id=12')
  expect(linkOf(item(1, { ObjectType: 'gateway', ObjectId: 5 }))).toBe('/projectManagement/gatewayPreView?Id=5')
  expect(linkOf(item(1, { ObjectType: 'alarmInfo', ObjectId: 5 }))).toBe('/alarmManagement/alarmInfo')
  expect(linkOf(item(1))).toBeUndefined()
})

it('[notice-more] each tab has its full list, SIM items theirs, alarms the alarm screen', () => {
  const to = (tab: keyof typeof noticeTabs, has: boolean) => moreOf(tab, () => has).map((l) => l.to)
  expect(to('announcements', true)).toEqual(['/systemManagement/layout/NoticeList?tab=announcements'])
  expect(to('notifications', true)).toEqual(['/systemManagement/layout/NoticeList?tab=notifications', '/iotManagement/alarmNotice'])
  expect(to('notifications', false)).toEqual(['/systemManagement/layout/NoticeList?tab=notifications'])
  expect(to('alarms', true)).toEqual(['/alarmManagement/alarmInfo'])
})

it('[notice-device-alarm-warning] the warning appears once per sign-in, and again when the number of alarms grows', () => {
  const given = (DeviceTotalCount: number) => counts({ DeviceTotalCount })
  expect([newAlarms(0, given(3)), newAlarms(3, given(3)), newAlarms(3, given(5)), newAlarms(5, given(0)), newAlarms(0, given(0))]).toEqual([
    3, 0, 5, 0, 0,
  ])
})

it('the bell opens alarms, or else the first tab with unread notices', () => {
  const given = { UnReadCount_GongGao: 1, UnReadCount_WuLianKa: 2 }
  expect(openingTab(counts({ ...given, UnReadCount_SheBei: 1 }))).toBe('alarms')
  expect(openingTab(counts(given))).toBe('announcements')
  expect(openingTab(counts({ UnReadCount_WuLianKa: 2 }))).toBe('notifications')
  expect(openingTab(null)).toBe('announcements')
})

it('[alarm-count-shape] a count that is a number and one that is an object are understood', () => {
  expect(newAlarms(0, countsOf(4))).toBe(4)
  expect(countsOf(4)).toEqual(counts({ TotalCount: 4, DeviceTotalCount: 4 }))
  const whole = counts({ TotalCount: 5, DeviceTotalCount: 3, GatewayOnoffTotalCount: 2 })
  expect(countsOf(whole)).toBe(whole)
})

it('lists are read again when something came, not when something was read', () => {
  expect(hasMore(counts({ UnReadCount_GongGao: 1 }), counts({ UnReadCount_GongGao: 2 }))).toBe(true)
  expect(hasMore(counts({ UnReadCount_GongGao: 2 }), counts({ UnReadCount_GongGao: 1 }))).toBe(false)
})
