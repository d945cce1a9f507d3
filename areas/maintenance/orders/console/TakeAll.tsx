import { Button } from 'antd'
import { useWrite } from '../../../../console/kernel/api.ts'
import { clientKey } from '../../../../console/kernel/clientKey.ts'
import { invoke } from '../../../../console/session/request.ts'
import { useWords } from '../../../../console/words/words.ts'
import { mtnCheckOrder, patrolCalls } from '../../patrols/contract.ts'
import { mtnUpKeepOrder, upkeepCalls } from '../../upkeep/contract.ts'
import { orderCalls } from '../contract.ts'

export type Waiting = { Id: number; kind: 'repair' | 'upkeep' | 'round' }
const calls = { repair: orderCalls.takeOver, upkeep: upkeepCalls.takeOver, round: patrolCalls.takeOver }

/** Accepts all pending hand-overs, such as at the start of a shift. Each order is a separate call. */
export const TakeAll = ({ of }: { of: readonly Waiting[] }) => {
  const t = useWords()
  const take = useWrite(['mtnMaintenanceOrder', mtnUpKeepOrder.name, mtnCheckOrder.name], async (all: readonly Waiting[]) => {
    for (const { Id, kind } of all) await invoke(calls[kind], { body: { OrderId: Id, ClientKey: clientKey() } })
  })
  if (of.length < 2) return null
  return (
    <Button className="order-big" block loading={take.isPending} onClick={() => take.mutate(of)}>
      {t('order.takeAll', { count: of.length })}
    </Button>
  )
}
