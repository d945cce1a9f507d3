import './parts.css'
import { App, Button, Form, InputNumber } from 'antd'
import { useState } from 'react'
import { useRows, useWrite } from '../../../../console/kernel/api.ts'
import { EmptyList } from '../../../../console/kernel/Empty.tsx'
import type { ToolProps } from '../../../../console/kernel/plainScreens.ts'
import { RefInput } from '../../../../console/kernel/RefInput.tsx'
import { invoke } from '../../../../console/session/request.ts'
import { SidePanel } from '../../../../console/shell/SidePanel.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { actCall } from '../../../../contract/acts.ts'
import { mtnComponent, mtnComponentStock, mtnPlace } from '../contract.ts'
import { quantityText } from './StockBar.tsx'

type Counts = Readonly<Record<number, number>>

/** Counts a place. Each part is a separate call, so a refused one keeps its input. */
const Stocktake = ({ tenant, close }: ToolProps) => {
  const t = useWords()
  const { message } = App.useApp()
  const [place, setPlace] = useState<number | null>(null)
  const [counts, setCounts] = useState<Counts>({})
  const { data } = useRows(
    mtnComponentStock,
    { PageIndex: 1, PageSize: 1000, PlaceId: place ?? undefined, OrderColumn: 'ComponentName', OrderType: 'asc' },
    { enabled: place !== null },
  )
  const save = useWrite([mtnComponent.name, mtnComponentStock.name, 'mtnComponentRecord'], async (given: Counts) => {
    let saved = 0
    for (const [Id, Counted] of Object.entries(given)) {
      await invoke(actCall(mtnComponent, 'count'), { body: { Id: Number(Id), PlaceId: place, Counted } as never })
      setCounts(({ [Number(Id)]: _, ...left }) => left)
      saved++
    }
    return saved
  })
  const entered = Object.keys(counts).length
  return (
    <SidePanel
      width={560}
      title={t('part.stocktake')}
      onClose={close}
      footer={
        <div className="form-foot">
          <Button
            type="primary"
            disabled={!entered}
            loading={save.isPending}
            onClick={() => save.mutate(counts, { onSuccess: (count) => message.success(t('part.counts.saved', { count })) })}
          >
            {t('part.counts.save')}
          </Button>
        </div>
      }
    >
      <Form layout="vertical">
        <Form.Item label={t('mtnComponent.PlaceId')} htmlFor="stocktake-place">
          <RefInput
            id="stocktake-place"
            to={mtnPlace}
            where={{ EnterpriseId: tenant }}
            value={place}
            onChange={(id) => {
              setPlace(id)
              setCounts({})
            }}
          />
        </Form.Item>
      </Form>
      {place === null && <EmptyList text={t('part.counts.place')} />}
      {place !== null && data?.Items.length === 0 && <EmptyList text={t('part.counts.empty')} />}
      {place !== null && (
        <ul className="counts">
          {data?.Items.map((row) => (
            <li key={row.Id}>
              <span>
                {String(row.ComponentName)}
                <br />
                <small className="soft">{t('part.counts.inLedger', { qty: quantityText(row.Qty) })}</small>
              </span>
              <InputNumber
                aria-label={`${t('mtnComponent.Counted')}: ${String(row.ComponentName)}`}
                min={0}
                max={1e9}
                style={{ width: '100%' }}
                value={counts[row.ComponentId] ?? null}
                onChange={(value) =>
                  setCounts(({ [row.ComponentId]: _, ...left }) => (value === null ? left : { ...left, [row.ComponentId]: Number(value) }))
                }
              />
            </li>
          ))}
        </ul>
      )}
    </SidePanel>
  )
}
export default Stocktake
