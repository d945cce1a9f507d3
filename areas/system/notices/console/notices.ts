import type { Static } from 'typebox'
import { create } from 'zustand'
import { entryOf } from '../../../../contract/prototypes.ts'
import { type NoticeCounts, type NoticeItem, type NoticeTab, noticeLimits, noticeTabs } from '../contract.ts'

export type Counts = Static<typeof NoticeCounts>
export type Notice = Static<typeof NoticeItem>
export const tabs = Object.keys(noticeTabs) as NoticeTab[]

/** The state of the bell; `poll` refetches it. */
export const useNotices = create<{ counts: Counts | null; interrupted: boolean; warning: number; refresh: () => void }>(() => ({
  counts: null,
  interrupted: false,
  warning: 0,
  refresh: () => undefined,
}))

/** The response of a server that only counts alarms, or of one that lists them by kind (specification, shell 3). */
export const countsOf = (answer: Counts | number): Counts =>
  typeof answer === 'object'
    ? answer
    : {
        ...{ UnReadCount_GongGao: 0, UnReadCount_WuLianKa: 0, UnReadCount_SheBei: 0 },
        ...{ TotalCount: answer, DeviceTotalCount: answer, DeviceHightTotalCount: 0, GatewayOnoffTotalCount: 0, GatewayPowerTotalCount: 0 },
      }

/** Formats a badge count: at most 99, empty below 1. */
export const badgeText = (count: number) =>
  count < 1 ? '' : count > noticeLimits.badge ? `${noticeLimits.badge}+` : String(Math.trunc(count))
export const unreadOf = (counts: Counts | null, tab: NoticeTab) => counts?.[noticeTabs[tab].count] ?? 0
export const unread = (counts: Counts | null) => tabs.reduce((sum, tab) => sum + unreadOf(counts, tab), 0)

/** The tab that the bell opens: the first with unread notices, starting with alarms. */
export const openingTab = (counts: Counts | null) =>
  (['alarms', 'announcements', 'notifications'] as const).find((tab) => unreadOf(counts, tab) > 0) ?? 'announcements'

/** The number in the warning: the device alarms, if more than the last warning reported (ruling 54). */
export const newAlarms = (warned: number, { DeviceTotalCount: count }: Counts) => (count > warned ? count : 0)
/** Whether something arrived that the lists do not contain yet. */
export const hasMore = (before: Counts | null, now: Counts) => tabs.some((tab) => unreadOf(now, tab) > unreadOf(before, tab))

/** The list after pinning or unpinning: the item moves to the top or bottom. */
export const moved = (items: readonly Notice[], id: number, pinned: 0 | 1): Notice[] => {
  const rest = items.filter((n) => n.Id !== id)
  const own = items.filter((n) => n.Id === id).map((n) => ({ ...n, IsFirstPage: pinned }))
  return pinned ? [...own, ...rest] : [...rest, ...own]
}
export const asRead = (items: readonly Notice[], id: number): Notice[] => items.map((n) => (n.Id === id ? { ...n, ReadStatus: 2 } : n))
export const datePart = ({ CreateTime }: Pick<Notice, 'CreateTime'>) => CreateTime.slice(0, 10)

export const listPath = '/systemManagement/layout/NoticeList'
const simPath = '/iotManagement/alarmNotice'

/** Link to the full list of a tab (ruling 26); for SIM items, also to the screen that handles them, if the user has it. */
export const moreOf = (tab: NoticeTab, has: (path: string) => boolean): { to: string; word: 'notices.more' | 'notices.moreSim' }[] => {
  if (tab === 'alarms')
    return [{ to: has('/alarmManagement/alarmInfo') ? '/alarmManagement/alarmInfo' : `${listPath}?tab=alarms`, word: 'notices.more' }]
  const full = { to: `${listPath}?tab=${tab}`, word: 'notices.more' } as const
  return tab === 'notifications' && has(simPath) ? [full, { to: simPath, word: 'notices.moreSim' }] : [full]
}

const objects: Record<string, (id: number) => string> = {
  alarmInfo: () => '/alarmManagement/alarmInfo',
  importExportTask: () => `${listPath}?tab=notifications&exports=1`,
  snAgent: () => '/productSeries/gatewayPosition/history',
  trialUser: () => '/systemManagement/experienceLog',
  coldStorage: (id) => `/powerManagement/coldRooms?Id=${id}`,
  mtnStockDifference: () => '/maintenanceCenter/parts/differences?Status=0',
  mtnComponent: (id) => `/maintenanceCenter/parts/archives?Id=${id}`,
  drugInfo: () => '/drugManagement/medicineOverView',
  mtnMaintenanceOrder: (id) => `/maintenanceCenter/workOrder?Id=${id}`,
  gateway: (id) => `/projectManagement/gatewayPreView?Id=${id}`,
}
/** Target of a notice: the alarm page with its rule's id, otherwise its object (ruling 26). */
export const linkOf = ({ AlmRuleId, ObjectType, ObjectId }: Pick<Notice, 'AlmRuleId' | 'ObjectType' | 'ObjectId'>): string | undefined =>
  AlmRuleId
    ? `/alarmManagement/alarmInfoMax?Id=${AlmRuleId}`
    : ObjectType && ObjectId
      ? entryOf(objects, ObjectType)?.(ObjectId)
      : undefined
