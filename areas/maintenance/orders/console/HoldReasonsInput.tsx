import { DeleteOutlined, PlusOutlined } from '@ant-design/icons'
import { Button, Checkbox, Input } from 'antd'
import { useWords } from '../../../../console/words/words.ts'
import type { HoldReason } from '../clocks.ts'
import './orders.css'

type Props = { id?: string; value?: unknown; onChange?: (value: unknown) => void }
/** Hold reasons, and whether they pause the clocks. */
const HoldReasonsInput = ({ id, value, onChange }: Props) => {
  const t = useWords()
  const reasons = (value as HoldReason[] | null) ?? []
  const set = (i: number, part: Partial<HoldReason>) => onChange?.(reasons.with(i, { ...reasons[i]!, ...part }))
  return (
    <div id={id} className="stack">
      {reasons.map((reason, i) => (
        // Reasons have no stable key while they are being edited.
        <div key={`${reasons.length} ${i}`} className="order-reason">
          <Input
            value={reason.Name}
            maxLength={60}
            aria-label={t('clock.reason')}
            placeholder={t('clock.reason')}
            onChange={({ target }) => set(i, { Name: target.value })}
          />
          <Checkbox checked={reason.Pauses === 1} onChange={({ target }) => set(i, { Pauses: target.checked ? 1 : 0 })}>
            {t('clock.pauses')}
          </Checkbox>
          <Button
            icon={<DeleteOutlined />}
            aria-label={`${t('button.remove')}: ${reason.Name}`}
            onClick={() => onChange?.(reasons.toSpliced(i, 1))}
          />
        </div>
      ))}
      <div>
        <Button icon={<PlusOutlined />} disabled={reasons.length >= 20} onClick={() => onChange?.([...reasons, { Name: '', Pauses: 1 }])}>
          {t('clock.addReason')}
        </Button>
      </div>
    </div>
  )
}
export default HoldReasonsInput
