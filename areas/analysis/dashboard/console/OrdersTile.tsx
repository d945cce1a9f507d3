import { useCall } from '../../../../console/kernel/api.ts'
import { useMayCode } from '../../../../console/session/session.ts'
import { useWords } from '../../../../console/words/words.ts'
import { orderCalls } from '../../../maintenance/orders/contract.ts'
import { Tile } from './Tile.tsx'

/** Open orders that the person sees; what is late, and what is due today. */
const OrdersTile = () => {
  const t = useWords()
  const may = useMayCode()
  const { data } = useCall(orderCalls.statistics, { of: ['mtnMaintenanceOrder'] })
  const to = may('m10602') ? '/maintenanceCenter/repair/repairOrder' : '/maintenanceCenter/workOrder'
  const notes = [
    { key: 'overdue', is: 'alarm' as const, count: data?.Overdue ?? 0, word: t('dashboard.overdue'), to },
    { key: 'today', is: 'notice' as const, count: data?.DueToday ?? 0, word: t('dashboard.today'), to },
  ]
  return <Tile to={to} name={t('menu.m10602')} count={data?.OpenCount} notes={notes} />
}
export default OrdersTile
