// Test harness: the area on a real database and HTTP, with a recorder in place of the hub.
import { sql } from 'kysely'
import { expect } from 'vitest'
import type { Page } from '../../../../contract/call.ts'
import type { HubMessages } from '../../../../contract/hub.ts'
import { startKit } from '../../../../main/testing/kit.ts'
import { noticeTabs } from '../contract.ts'
import { noticeRoutes } from './routes.ts'
import { type Notices, startNotices } from './runner.ts'
import { type Made, notify } from './service.ts'

export type Item = {
  Id: number
  PushTitle: string
  PushContent: string
  BizType: number
  ReadStatus: number
  IsFirstPage: number
  CreateTime: string
  ObjectId: number | null
}
type Sent = { to: { EnterpriseId: number; users?: readonly number[]; permission?: string }; notice: HubMessages['Notice'][0] }

export const startArea = async () => {
  let notices: Notices
  /** Epoch ms at which the clock is frozen. */
  let held: number | undefined
  let sent: Sent[] = []
  const kit = await startKit({ areas: () => [(api) => noticeRoutes(api, (actor) => notices.changed(actor))] })
  await kit.person('reader', kit.enterprises.ours, { menus: ['m100'] })
  const run = () => {
    notices = startNotices({
      database: kit.database,
      hub: { send: (to, _message, notice) => void sent.push({ to, notice }) },
      log: { warn: () => {} },
      clock: () => held ?? Date.now(),
      limits: { gatherMs: 5 },
    })
  }
  run()
  let made = 0
  const list = (as: string, query: object = {}) => kit.data<Page<Item>>(as, 'POST', '/V3/System/Notice/NoticeList', query)
  const counts = (as: string) => kit.data<Record<string, number>>(as, 'GET', '/System/Notice/UnReadCount')
  return {
    kit,
    sent: () => sent,
    run,
    stop: () => notices.stop(),
    at(time: number) {
      held = time
    },
    async reset() {
      held = undefined
      await kit.db.rows(sql`delete from notice`)
      sent = []
    },
    publish: (draft: object = {}) =>
      kit.data<Item>('owner', 'POST', '/System/Notice', { PushTitle: 'Stop on Monday', PushContent: '<p>All day</p>', ...draft }),
    list,
    titles: async (as: string, query: object = {}) => (await list(as, query)).Items.map((n) => n.PushTitle),
    counts,
    tell: (given: Partial<Made> = {}) =>
      notify(kit.db, {
        EnterpriseId: kit.enterprises.ours,
        BizType: 11,
        Wording: 'offline',
        WordValues: { GatewayName: `Gateway ${++made}`, SN: 'SN', ProjectName: 'P' },
        Source: `test/${made}`,
        ...given,
      }),
    async expectBadges(as: string) {
      const unread = await counts(as)
      for (const { types, count } of Object.values(noticeTabs)) {
        const page = await list(as, { BizTypeList: types, ReadStatus: 1, PageSize: 1000 })
        expect([count, unread[count]]).toEqual([count, page.TotalCount])
        expect(page.Items.length).toBe(page.TotalCount)
      }
    },
    close: async () => {
      await notices.stop()
      await kit.close()
    },
  }
}
export type Area = Awaited<ReturnType<typeof startArea>>
