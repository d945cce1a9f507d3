import { App, Button, Descriptions, Tag } from 'antd'
import { useState } from 'react'
import { FileLink } from '../../../../console/files/FilesInput.tsx'
import { type Shown, useCommand } from '../../../../console/kernel/api.ts'
import { EmptyList } from '../../../../console/kernel/Empty.tsx'
import type { DetailLooks } from '../../../../console/kernel/plainScreens.ts'
import { useMay, useUser } from '../../../../console/session/session.ts'
import { lazyScreen } from '../../../../console/shell/lazyScreen.tsx'
import { Shape } from '../../../../console/theme/State.tsx'
import { useWords } from '../../../../console/words/words.ts'
import type { Item, mtnUpKeepOrder, planCalls, Result } from '../contract.ts'
import './upkeep.css'

const FinishDialog = lazyScreen(() => import('./FinishDialog.tsx'), null)
const HandOverDialog = lazyScreen(() => import('./HandOverDialog.tsx'), null)
const CancelDialog = lazyScreen(() => import('./CancelDialog.tsx'), null)
type Order = Shown<typeof mtnUpKeepOrder>
type Calls = ReturnType<typeof planCalls>

/** Buttons for the steps the user may take. */
const Actions = ({ of, calls, row }: { of: typeof mtnUpKeepOrder; calls: Calls; row: Order }) => {
  const t = useWords()
  const me = useUser()
  const [works, cancels] = [useMay('m10601.work'), useMay(`${of.permission}.cancel`)]
  const [asking, ask] = useState<'finish' | 'cancel' | 'handOver'>()
  const [over, decline] = [useCommand(calls.takeOver, [of.name]), useCommand(calls.declineOver, [of.name])]
  const start = useCommand(calls.start, [of.name])
  const isMine = row.AssignUserId === null || row.AssignUserId === me?.Id
  const isOpen = row.Status === 0 || row.Status === 1
  return (
    <>
      {works && isOpen && row.HandOverUserId !== null && row.HandOverUserId === me?.Id && (
        <>
          <Button type="primary" loading={over.isPending} onClick={() => over.mutate({ body: { OrderId: row.Id } })}>
            {t('order.step.takeOver')}
          </Button>
          <Button loading={decline.isPending} onClick={() => decline.mutate({ body: { OrderId: row.Id } })}>
            {t('order.step.declineOver')}
          </Button>
        </>
      )}
      {works && isMine && row.Status === 0 && (
        <Button type="primary" loading={start.isPending} onClick={() => start.mutate({ body: { OrderId: row.Id } })}>
          {t('upkeep.start')}
        </Button>
      )}
      {works && isMine && (row.Status === 1 || row.Status === 4) && (
        <Button type="primary" onClick={() => ask('finish')}>
          {t('upkeep.finish')}
        </Button>
      )}
      {works && isMine && isOpen && <Button onClick={() => ask('handOver')}>{t('order.step.handOver')}</Button>}
      {cancels && isOpen && <Button onClick={() => ask('cancel')}>{t('upkeep.cancel')}</Button>}
      {asking === 'finish' && <FinishDialog {...{ of, calls }} order={row} close={() => ask(undefined)} />}
      {asking === 'handOver' && <HandOverDialog {...{ of, calls }} order={row} close={() => ask(undefined)} />}
      {asking === 'cancel' && <CancelDialog {...{ of, calls }} order={row} close={() => ask(undefined)} />}
    </>
  )
}
export const pageLooksOf = (of: typeof mtnUpKeepOrder, calls: Calls): DetailLooks<typeof mtnUpKeepOrder> => ({
  Actions: ({ row }) => <Actions {...{ of, calls, row }} />,
})

const textOf = (t: ReturnType<typeof useWords>, { ValueType, Unit }: Item, result: Result | undefined) => {
  if (!result || result.Value === null) return '—'
  return ValueType === 1 ? t(result.IsOk ? 'upkeep.ok' : 'upkeep.notOk') : `${result.Value}${Unit ? ` ${Unit}` : ''}`
}
/** Checklist with results. */
const Checklist = ({ calls, row }: { calls: Calls; row: Order }) => {
  const t = useWords()
  const works = useMay('m10601.work')
  const { message } = App.useApp()
  const repair = useCommand(calls.repair, ['mtnMaintenanceOrder'])
  const open = (Item: number) =>
    repair.mutate(
      { body: { OrderId: row.Id, Item } },
      { onSuccess: ({ OrderNo }) => void message.success(t('upkeep.repairOpened', { title: OrderNo })) },
    )
  const items = (row.Items ?? []) as Item[]
  const results = new Map(((row.Results ?? []) as Result[]).map((result) => [result.Item, result]))
  if (!items.length) return <EmptyList text={t('upkeep.noItems')} />
  return (
    <Descriptions bordered size="small" column={1} className="upkeep-results">
      {items.map((item, i) => {
        const result = results.get(i)
        return (
          <Descriptions.Item key={`${i} ${item.ItemName}`} label={item.ItemName}>
            {item.Standard && <p className="soft">{item.Standard}</p>}
            <span>{textOf(t, item, result)}</span>{' '}
            {result && !result.IsOk && (
              <Tag color="error">
                <Shape is="alarm" /> {t('upkeep.notOk')}
              </Tag>
            )}
            {result && !result.IsOk && works && (
              <Button size="small" loading={repair.isPending} onClick={() => open(i)}>
                {t('upkeep.repair')}
              </Button>
            )}
            {result?.Desc && <p>{result.Desc}</p>}
            {result?.Photos?.map((file) => (
              <FileLink key={file.FilePath} file={file} />
            ))}
          </Descriptions.Item>
        )
      })}
    </Descriptions>
  )
}
export const checklistOf =
  (calls: Calls) =>
  ({ row }: { row: Order }) => <Checklist {...{ calls, row }} />
