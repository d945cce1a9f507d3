import { DeleteOutlined, PlusOutlined } from '@ant-design/icons'
import { Button, Input, InputNumber } from 'antd'
import { useState } from 'react'
import { useCommand } from '../../../../console/kernel/api.ts'
import { SidePanel } from '../../../../console/shell/SidePanel.tsx'
import { Shape } from '../../../../console/theme/State.tsx'
import { numberText } from '../../../../console/words/formats.ts'
import { language, useWords } from '../../../../console/words/words.ts'
import { circuitCalls } from '../contract.ts'

type Share = { CostCentre: string; Percent: number }
type Line = Share & { key: number }
type Props = { circuit: number; last: readonly Share[]; close: () => void }

const numbered = (shares: readonly Share[]): Line[] => shares.map((share, key) => ({ ...share, key }))
const quiet = { meta: { quiet: true } }

/** Whose the energy of a circuit is from a day on. */
export const SharesForm = ({ circuit, last, close }: Props) => {
  const t = useWords()
  const [From, setFrom] = useState(`${new Date().toISOString().slice(0, 7)}-01`)
  const [lines, setLines] = useState<Line[]>(() => numbered(last.length ? last : [{ CostCentre: '', Percent: 100 }]))
  const save = useCommand(circuitCalls.setShares, ['energyInfo'], quiet)
  const sum = lines.reduce((all, { Percent }) => all + Math.round(Percent * 10_000), 0) / 10_000
  const change = (key: number, by: Partial<Share>) => setLines((all) => all.map((line) => (line.key === key ? { ...line, ...by } : line)))
  const add = () =>
    setLines((all) => [...all, { CostCentre: '', Percent: Math.max(0, 100 - sum), key: Math.max(0, ...all.map(({ key }) => key)) + 1 }])
  const Shares = lines.map(({ CostCentre, Percent }) => ({ CostCentre: CostCentre.trim(), Percent }))
  const submit = () => save.mutate({ body: { EnergyInfoId: circuit, From, Shares } }, { onSuccess: close })
  return (
    <SidePanel
      width={440}
      title={t('circuit.shares')}
      onClose={close}
      footer={
        <div className="form-foot">
          <Button onClick={close}>{t('cancel')}</Button>
          <Button type="primary" loading={save.isPending} onClick={submit}>
            {t('save')}
          </Button>
        </div>
      }
    >
      <div className="stack">
        <Input
          type="date"
          prefix={t('circuit.validFrom')}
          aria-label={t('circuit.validFrom')}
          value={From}
          onChange={({ target }) => setFrom(target.value)}
        />
        {lines.map(({ key, CostCentre, Percent }) => (
          <div key={key} className="circuit-share">
            <Input
              maxLength={40}
              value={CostCentre}
              placeholder={t('circuit.costCentre')}
              aria-label={t('circuit.costCentre')}
              onChange={({ target }) => change(key, { CostCentre: target.value })}
            />
            <InputNumber
              min={0}
              max={100}
              precision={4}
              suffix="%"
              value={Percent}
              aria-label={t('circuit.percent')}
              onChange={(next) => change(key, { Percent: next ?? 0 })}
            />
            <Button
              icon={<DeleteOutlined />}
              aria-label={t('button.remove')}
              onClick={() => setLines((all) => all.filter((line) => line.key !== key))}
            />
          </div>
        ))}
        <Button icon={<PlusOutlined />} onClick={add}>
          {t('circuit.addCentre')}
        </Button>
        <p className={sum === 100 || !lines.length ? 'soft' : undefined}>
          <Shape is={sum === 100 || !lines.length ? 'normal' : 'warning'} />{' '}
          {lines.length ? t('circuit.sum', { sum: numberText(sum, 0, language(), 4) }) : t('circuit.takesBack')}
        </p>
        {save.error && (
          <p role="alert">
            <Shape is="alarm" /> {Object.values(save.error.details.Fields ?? {}).flat()[0] ?? save.error.message}
          </p>
        )}
      </div>
    </SidePanel>
  )
}
