import { type ReactNode, useState } from 'react'
import { useWrite } from '../../../../console/kernel/api.ts'
import { clientKey } from '../../../../console/kernel/clientKey.ts'
import type { Fault } from '../../../../console/session/request.ts'
import { invoke } from '../../../../console/session/request.ts'
import { lazyScreen } from '../../../../console/shell/lazyScreen.tsx'
import { orderCalls, type Stepped } from '../contract.ts'
import type { StepName } from '../steps.ts'
import { takeOrQueue } from './queued.ts'

export type Stepping = {
  Id: number
  OrderNo: string
  Title: string
  ProjectId: number
  PlanFinishTime?: string | null
  Items?: unknown
  Results?: unknown
}
export type Asked = { order: Stepping; step: StepName; key: string }
/** Steps that need no input. */
const plain: ReadonlySet<StepName> = new Set(['accept', 'arrive', 'resume', 'takeOver', 'declineOver'])

export const useSendStep = (quiet: boolean) =>
  useWrite(
    ['mtnMaintenanceOrder', 'alarmInfo'],
    ({ order, step, key, ...more }: Asked & Record<string, unknown>): Promise<Stepped | undefined> =>
      takeOrQueue({ order, step, key, body: more }, (body) =>
        step === 'handOver'
          ? (invoke(orderCalls.handOver, { body: { OrderIds: [order.Id], ...body } as never }) as Promise<never>)
          : (invoke(orderCalls[step] as typeof orderCalls.accept, { body: { OrderId: order.Id, ...body } as never }) as Promise<Stepped>),
      ),
    // Without a connection a step is queued, not paused.
    { networkMode: 'always', ...(quiet ? { meta: { quiet: true } } : {}) },
  )
export type Sending = { isPending: boolean; error: Fault | null }

const StepDialog = lazyScreen(() => import('./StepDialog.tsx'), null)

/** Takes steps of orders, with a dialog for those that need input. */
export const useSteps = (): { begin: (order: Stepping, step: StepName) => void; busy: number | undefined; dialog: ReactNode } => {
  const send = useSendStep(false)
  const [asked, ask] = useState<Asked>()
  const begin = (order: Stepping, step: StepName) => {
    const next = { order, step, key: clientKey() }
    if (plain.has(step)) send.mutate(next)
    else ask(next)
  }
  return {
    begin,
    busy: send.isPending ? send.variables?.order.Id : undefined,
    dialog: asked && <StepDialog asked={asked} close={() => ask(undefined)} />,
  }
}
