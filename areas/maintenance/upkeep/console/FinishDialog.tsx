import { Button, Input } from 'antd'
import { type ReactNode, useCallback, useState } from 'react'
import { type Shown, useCall, useWrite } from '../../../../console/kernel/api.ts'
import { clientKey } from '../../../../console/kernel/clientKey.ts'
import { Failure } from '../../../../console/kernel/Empty.tsx'
import { sendOrQueue } from '../../../../console/offline/queue.ts'
import { invoke } from '../../../../console/session/request.ts'
import { SidePanel } from '../../../../console/shell/SidePanel.tsx'
import { useWords } from '../../../../console/words/words.ts'
import OrderWork from '../../job-sheets/console/OrderWork.tsx'
import { type Found, foundOf, ResultsInput, resultsOf } from '../../job-sheets/console/ResultsInput.tsx'
import type { Item, Result } from '../../job-sheets/contract.ts'
import { offlineCalls } from '../../offline/contract.ts'
import type { mtnUpKeepOrder, planCalls } from '../contract.ts'

/** Checklist and report of an order, on one scrolling page. */
type Props = {
  of: typeof mtnUpKeepOrder
  calls: ReturnType<typeof planCalls>
  order: Shown<typeof mtnUpKeepOrder>
  above?: ReactNode
  close: () => void
}
const FinishDialog = ({ of, calls, order, above, close }: Props) => {
  const t = useWords()
  const items = (order.Items ?? []) as Item[]
  const [found, setFound] = useState<Found[]>(() => foundOf(items))
  const change = useCallback((next: Found[]) => setFound(next), [])
  const [desc, setDesc] = useState('')
  const [key] = useState(clientKey)
  const send = (body: { Results: Result[]; Desc: string }) =>
    sendOrQueue(
      {
        ...{ key, path: offlineCalls.lateStep.path, title: order.Title, step: 'upkeep.finish', body },
        late: { OrderId: order.Id, Step: 'finish' },
      },
      (sent) => invoke(calls.finish, { body: { OrderId: order.Id, ...(sent as typeof body) } }),
    )
  const finish = useWrite([of.name], send, { networkMode: 'always', meta: { quiet: true } })
  const { data: readings } = useCall(calls.readings, {
    query: { OrderId: order.Id },
    enabled: items.some(({ ValueType }) => ValueType === 6),
  })
  const faults = finish.error?.details.Fields ?? {}
  return (
    <SidePanel
      width={560}
      title={`${order.OrderNo} · ${order.Title}`}
      onClose={close}
      footer={
        <Button
          type="primary"
          block
          size="large"
          loading={finish.isPending}
          onClick={() => finish.mutate({ Results: resultsOf(found), Desc: desc }, { onSuccess: close })}
        >
          {t('upkeep.finish')}
        </Button>
      }
    >
      {above}
      <ResultsInput items={items} found={found} change={change} readings={readings} faults={faults} />
      <OrderWork order={order} isOpen />
      <label htmlFor="upkeep-desc">{t('upkeep.desc')}</label>
      <Input.TextArea id="upkeep-desc" rows={3} maxLength={500} value={desc} onChange={({ target }) => setDesc(target.value)} />
      {faults.Desc && <p className="state-alarm">{faults.Desc[0]}</p>}
      {finish.error && !Object.keys(faults).length && <Failure fault={finish.error} />}
    </SidePanel>
  )
}
export default FinishDialog
