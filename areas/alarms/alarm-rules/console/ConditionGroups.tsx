import { PlusOutlined } from '@ant-design/icons'
import { Button, Dropdown, Segmented } from 'antd'
import { useWords } from '../../../../console/words/words.ts'
import { Logic, type RuleConfigure } from '../alarm-configure.ts'
import { ConditionRow } from './ConditionRow.tsx'
import { emptyCondition, settled, templates } from './draft.ts'

type AndOrProps = { words: string; value: RuleConfigure['LogicSymbol']; onChange: (value: RuleConfigure['LogicSymbol']) => void }
const AndOr = ({ words, value, onChange }: AndOrProps) => {
  const t = useWords()
  return (
    <Segmented
      size="small"
      value={value}
      onChange={onChange}
      options={[Logic.and, Logic.or].map((v) => ({ value: v, label: t(`${words}.${v}`) }))}
      aria-label={t('rules.between')}
    />
  )
}

type GroupsProps = Pick<Parameters<typeof ConditionRow>[0], 'points' | 'project' | 'names'> & {
  value: RuleConfigure
  onChange: (part: Partial<RuleConfigure>) => void
  fault: (name: string) => string | undefined
}
/** The conditions of a rule as sentences, in groups. */
export const ConditionGroups = ({ value, onChange, points, project, names, fault }: GroupsProps) => {
  const t = useWords()
  const isMany = value.RuleList.flatMap((g) => g.Conditions).length > 1
  const group = (at: number, part: Partial<RuleConfigure['RuleList'][number]>) =>
    onChange({ RuleList: value.RuleList.map((g, i) => (i === at ? { ...g, ...part } : g)) })
  return (
    <>
      {value.RuleList.map((g, at) => (
        <fieldset key={at} className="rule-group">
          {at > 0 && <AndOr words="rules.groups" value={value.LogicSymbol} onChange={(LogicSymbol) => onChange({ LogicSymbol })} />}
          {g.Conditions.map((c, i) => (
            <div key={i}>
              {i > 0 && <AndOr words="rules.logic" value={g.LogicSymbol} onChange={(LogicSymbol) => group(at, { LogicSymbol })} />}
              <ConditionRow
                value={c}
                onChange={(next) => group(at, { Conditions: g.Conditions.map((x, k) => (k === i ? next : x)) })}
                remove={
                  isMany
                    ? () =>
                        g.Conditions.length > 1
                          ? group(at, { Conditions: g.Conditions.filter((_, k) => k !== i) })
                          : onChange({ RuleList: value.RuleList.filter((_, k) => k !== at) })
                    : undefined
                }
                points={points}
                project={project}
                names={names}
                fault={(name) => fault(`RuleList.${at}.Conditions.${i}.${name}`)}
              />
            </div>
          ))}
          <Dropdown
            autoFocus
            trigger={['click']}
            menu={{
              items: Object.keys(templates).map((key) => ({ key, label: t(`rules.template.${key}`) })),
              onClick: ({ key }) => group(at, { Conditions: [...g.Conditions, settled({ ...emptyCondition, ...templates[key] })] }),
            }}
          >
            <Button size="small" icon={<PlusOutlined />}>
              {t('rules.addCondition')}
            </Button>
          </Dropdown>
        </fieldset>
      ))}
      <Button
        size="small"
        type="dashed"
        icon={<PlusOutlined />}
        onClick={() => onChange({ RuleList: [...value.RuleList, { LogicSymbol: 1, Conditions: [emptyCondition] }] })}
      >
        {t('rules.addGroup')}
      </Button>
    </>
  )
}
