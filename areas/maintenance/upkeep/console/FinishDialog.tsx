import { Button, Input, InputNumber, Segmented, Select } from 'antd'
import { type ReactNode, useState } from 'react'
import { FilesInput } from '../../../../console/files/FilesInput.tsx'
import { type Shown, useCall, useWrite } from '../../../../console/kernel/api.ts'
import { clientKey } from '../../../../console/kernel/clientKey.ts'
import { Failure } from '../../../../console/kernel/Empty.tsx'
import { sendOrQueue } from '../../../../console/offline/queue.ts'
import { invoke } from '../../../../console/session/request.ts'
import { useMay } from '../../../../console/session/session.ts'
import { SidePanel } from '../../../../console/shell/SidePanel.tsx'
import { numberText } from '../../../../console/words/formats.ts'
import { useWords } from '../../../../console/words/words.ts'
import { telemetryCalls } from '../../../../contract/telemetry.ts'
import { offlineCalls } from '../../offline/contract.ts'
import { type Item, most, type mtnUpKeepOrder, type planCalls, type Result } from '../contract.ts'

type Found = Partial<Omit<Result, 'Item'>>
type ItemProps = { of: Item; id: string; found: Found; last: number | undefined; fault: string | undefined; change: (next: Found) => void }
const ItemInput = ({ of, id, found, last, fault, change }: ItemProps) => {
  const t = useWords()
  const { ValueType, Min, Max, Unit } = of
  const set = (part: Found) => change({ ...found, ...part })
  const limits = [Min !== undefined && `≥ ${Min}`, Max !== undefined && `≤ ${Max}`].filter(Boolean).join(', ')
  return (
    <li className="upkeep-step">
      <label htmlFor={id}>
        <strong>{of.ItemName}</strong> {of.Required === 1 && <span className="soft">{t('upkeep.required')}</span>}
      </label>
      {(of.Method || of.Standard || limits) && <p className="soft">{[of.Method, of.Standard, limits].filter(Boolean).join(' · ')}</p>}
      {(ValueType === 2 || ValueType === 6) && (
        <span className="upkeep-value">
          <InputNumber
            id={id}
            value={(found.Value as number | null) ?? null}
            {...(Unit && { suffix: Unit })}
            onChange={(Value) => set({ Value, IsOk: Value === null || ((Min ?? Value) <= Value && Value <= (Max ?? Value)) ? 1 : 0 })}
          />
          {ValueType === 6 && last !== undefined && (
            <Button onClick={() => set({ Value: last, IsOk: (Min ?? last) <= last && last <= (Max ?? last) ? 1 : 0 })}>
              {t('upkeep.take', { value: numberText(last) })}
            </Button>
          )}
        </span>
      )}
      {ValueType === 3 && (
        <Input id={id} maxLength={200} value={String(found.Value ?? '')} onChange={({ target }) => set({ Value: target.value })} />
      )}
      {ValueType === 4 && (
        <Select
          id={id}
          value={(found.Value as string | null) ?? null}
          options={(of.Choices ?? []).map((value) => ({ value, label: value }))}
          onChange={(Value: string) => set({ Value })}
        />
      )}
      <Segmented
        block
        aria-label={`${of.ItemName}: ${t('upkeep.isOk')}`}
        value={found.IsOk ?? -1}
        options={[
          { value: 1, label: t('upkeep.ok') },
          { value: 0, label: t('upkeep.notOk') },
        ]}
        onChange={(IsOk) => set({ IsOk: IsOk as 0 | 1, ...(ValueType === 1 ? { Value: IsOk as number } : {}) })}
      />
      {found.IsOk === 0 && (
        <Input.TextArea
          aria-label={`${of.ItemName}: ${t('upkeep.what')}`}
          placeholder={t('upkeep.what')}
          maxLength={500}
          value={found.Desc ?? ''}
          onChange={({ target }) => set({ Desc: target.value })}
        />
      )}
      {(ValueType === 5 || of.NeedPhoto === 1 || found.IsOk === 0) && (
        <FilesInput most={most.photos} photos value={found.Photos ?? null} onChange={(Photos) => set({ Photos: [...(Photos ?? [])] })} />
      )}
      {fault && <p className="state-alarm">{fault}</p>}
    </li>
  )
}

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
  const [found, setFound] = useState<Found[]>(items.map(() => ({})))
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
  const seesValues = useMay('m10108')
  const points = items.flatMap(({ ParaId }) => ParaId ?? [])
  const { data: latest } = useCall(telemetryCalls.last, { body: { ParaIds: points }, enabled: seesValues && points.length > 0 })
  const lastOf = ({ ParaId }: Item) => latest?.find((one) => one.ParaId === ParaId)?.Value ?? undefined
  const faults = finish.error?.details.Fields ?? {}
  const Results = found.flatMap(({ Value = null, IsOk = 1, ...more }, Item) =>
    Value === null && !more.Photos?.length ? [] : [{ Item, Value, IsOk, ...more }],
  )
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
          onClick={() => finish.mutate({ Results: Results as Result[], Desc: desc }, { onSuccess: close })}
        >
          {t('upkeep.finish')}
        </Button>
      }
    >
      {above}
      <ol className="upkeep-steps">
        {items.map((item, i) => (
          <ItemInput
            key={`${i} ${item.ItemName}`}
            of={item}
            id={`upkeep-${i}`}
            found={found[i]!}
            last={lastOf(item)}
            fault={faults[`Results.${i}`]?.[0]}
            change={(next) => setFound(found.with(i, next))}
          />
        ))}
      </ol>
      <label htmlFor="upkeep-desc">{t('upkeep.desc')}</label>
      <Input.TextArea id="upkeep-desc" rows={3} maxLength={500} value={desc} onChange={({ target }) => setDesc(target.value)} />
      {faults.Desc && <p className="state-alarm">{faults.Desc[0]}</p>}
      {finish.error && !Object.keys(faults).length && <Failure fault={finish.error} />}
    </SidePanel>
  )
}
export default FinishDialog
