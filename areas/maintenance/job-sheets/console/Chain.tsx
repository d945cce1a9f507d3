import type { ReactNode } from 'react'
import { useRows } from '../../../../console/kernel/api.ts'
import { useMayCode } from '../../../../console/session/session.ts'
import { To } from '../../../../console/shell/To.tsx'
import { Facts } from '../../../../console/theme/Facts.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { alarmInfo } from '../../../alarms/alarms/contract.ts'
import { mtnKnowledgeBase } from '../../knowledge-base/contract.ts'
import { mtnMaintenanceOrder, myOrders } from '../../orders/contract.ts'
import { mtnComponent, mtnComponentRecord } from '../../spare-parts/contract.ts'
import './chain.css'

type Link = 'alarm' | 'order' | 'part' | 'article'
const most = 20

/** Links between the records of an order: its alarms, the order itself, its parts and the article written from it. */
export const Chain = ({ order, without }: { order: { Id: number; OrderNo: string }; without: readonly Link[] }) => {
  const t = useWords()
  const may = useMayCode()
  const shows = (link: Link, ...codes: string[]) => !without.includes(link) && codes.every(may)
  const query = { PageIndex: 1, PageSize: most, OrderId: order.Id }
  const [withAlarms, withParts] = [
    shows('alarm', alarmInfo.permission),
    shows('part', mtnComponentRecord.permission, mtnComponent.permission),
  ]
  const withArticle = shows('article', mtnKnowledgeBase.permission)
  const alarms = useRows(alarmInfo, query, { enabled: withAlarms })
  const moves = useRows(mtnComponentRecord, query, { enabled: withParts })
  const articles = useRows(mtnKnowledgeBase, query, { enabled: withArticle })
  const parts = new Map(moves.data?.Items.map((row) => [row.ComponentId, String(row.ComponentName)]))
  const orders = may(mtnMaintenanceOrder.permission) ? '/maintenanceCenter/repair/repairOrder' : '/maintenanceCenter/workOrder'
  const line = (code: string, of: { Id: number; name: string }[], path: string): { key: string; label: ReactNode; value: ReactNode }[] =>
    of.length
      ? [
          {
            key: code,
            label: t(`menu.${code}`),
            value: (
              <span className="chain-links">
                {of.map(({ Id, name }) => (
                  <To key={Id} to={`${path}${Id}`}>
                    {name}
                  </To>
                ))}
              </span>
            ),
          },
        ]
      : []
  const facts = [
    ...line(
      alarmInfo.permission,
      (withAlarms && alarms.data?.Items.map(({ Id, RuleName }) => ({ Id, name: RuleName }))) || [],
      '/alarmManagement/alarmInfo?view=history&alarm=',
    ),
    ...line(
      mtnMaintenanceOrder.permission,
      !without.includes('order') && (may(mtnMaintenanceOrder.permission) || may(myOrders)) ? [{ Id: order.Id, name: order.OrderNo }] : [],
      `${orders}?Id=`,
    ),
    ...line(
      mtnComponent.permission,
      withParts ? [...parts].map(([Id, name]) => ({ Id, name })) : [],
      '/maintenanceCenter/parts/archives?Id=',
    ),
    ...line(
      mtnKnowledgeBase.permission,
      (withArticle && articles.data?.Items.map(({ Id, Title }) => ({ Id, name: Title }))) || [],
      '/maintenanceCenter/knowledgeBase?Id=',
    ),
  ]
  if (!facts.length) return null
  return (
    <section className="panel" aria-label={t('chain.title', { order: order.OrderNo })}>
      <h2>{t('chain.title', { order: order.OrderNo })}</h2>
      <Facts of={facts} />
    </section>
  )
}
