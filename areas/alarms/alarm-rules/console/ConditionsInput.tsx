import './rules.css'
import { PlusOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useWords } from '../../../../console/words/words.ts'
import type { RuleCondition, RuleConfigure } from '../alarm-configure.ts'
import { ConditionRow } from './ConditionRow.tsx'
import { emptyCondition, emptyConfigure } from './draft.ts'

const unnamed: RuleCondition = { ...emptyCondition, AlarmParams: [{ ParaName: null }] }
const noFault = () => undefined

/** Conditions of a template: points are names only. A rule made from the template chooses its own points. */
export const ConditionsInput = ({ value, onChange }: { value?: unknown; onChange?: (value: unknown) => void }) => {
  const t = useWords()
  const configure = (value as RuleConfigure | null | undefined) ?? {
    ...emptyConfigure,
    RuleList: [{ LogicSymbol: 1 as const, Conditions: [unnamed] }],
  }
  const [group] = configure.RuleList
  const set = (Conditions: RuleCondition[]) =>
    onChange?.({ ...configure, RuleList: [{ ...group!, Conditions }, ...configure.RuleList.slice(1)] })
  const { Conditions } = group!
  return (
    <div className="rule-editor">
      {Conditions.map((c, i) => (
        <ConditionRow
          key={i}
          value={c}
          onChange={(next) => set(Conditions.map((condition, k) => (k === i ? next : condition)))}
          remove={Conditions.length > 1 ? () => set(Conditions.filter((_, k) => k !== i)) : undefined}
          points={undefined}
          fault={noFault}
        />
      ))}
      <div>
        <Button size="small" icon={<PlusOutlined />} onClick={() => set([...Conditions, unnamed])}>
          {t('rules.addCondition')}
        </Button>
      </div>
    </div>
  )
}
