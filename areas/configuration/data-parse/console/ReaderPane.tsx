import { PlusOutlined } from '@ant-design/icons'
import { Button, Segmented, Select } from 'antd'
import { lazyScreen } from '../../../../console/shell/lazyScreen.tsx'
import { Waiting } from '../../../../console/shell/Waiting.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { mappingFaults, mostRules } from '../../../../contract/parsing/mapping.ts'
import { type DataParse, parseInputs, type Tested } from '../contract.ts'
import type { Draft } from './draft.ts'
import { RuleFields } from './RuleFields.tsx'

const ScriptEditor = lazyScreen(() => import('./ScriptEditor.tsx'), <Waiting />)
type Props = {
  draft: Draft
  set: (part: Partial<Draft>) => void
  addRule: (path: string) => void
  mayEdit: boolean
  fault: Tested['Fault']
}

const Rules = ({ draft, set, addRule, mayEdit }: Props) => {
  const t = useWords()
  const faults = mappingFaults(draft.Mapping)
  return (
    <>
      <ol className="parse-rules">
        {draft.Mapping.map((rule, i) => (
          <RuleFields
            // Rules have no Id to serve as a key.
            key={`${draft.Mapping.length} ${i}`}
            number={i + 1}
            of={rule}
            faults={faults.filter((fault) => fault.rule === i)}
            disabled={!mayEdit}
            change={(next) => set({ Mapping: draft.Mapping.with(i, next) })}
            remove={draft.Mapping.length > 1 ? () => set({ Mapping: draft.Mapping.toSpliced(i, 1) }) : undefined}
          />
        ))}
      </ol>
      {mayEdit && (
        <Button icon={<PlusOutlined />} disabled={draft.Mapping.length >= mostRules} onClick={() => addRule('*')}>
          {t('dataParse.addRule')}
        </Button>
      )}
    </>
  )
}

/** The mapping or the script, depending on the kind of the parser. */
export const ReaderPane = (props: Props) => {
  const t = useWords()
  const { draft, set, mayEdit, fault } = props
  const isScript = draft.Kind === 2
  return (
    <section className="panel stack">
      <h2>{t(isScript ? 'dataParse.Script' : 'dataParse.Mapping')}</h2>
      <div className="parse-inputs">
        <Segmented<1 | 2>
          aria-label={t('dataParse.Kind')}
          value={draft.Kind}
          disabled={!mayEdit}
          options={([1, 2] as const).map((value) => ({ value, label: t(`dataParse.Kind.${value}`) }))}
          onChange={(Kind) => set({ Kind })}
        />
        {isScript && (
          <Select<DataParse['Input']>
            aria-label={t('dataParse.Input')}
            value={draft.Input}
            disabled={!mayEdit}
            options={parseInputs.map((value) => ({ value, label: t(`dataParse.Input.${value}`) }))}
            onChange={(Input) => set({ Input })}
            popupMatchSelectWidth={false}
          />
        )}
      </div>
      {isScript ? (
        <>
          <ScriptEditor
            label={t('dataParse.Script')}
            value={draft.Script}
            disabled={!mayEdit}
            fault={fault ? { line: fault.Line, column: fault.Column, text: fault.Text } : undefined}
            change={(Script) => set({ Script })}
          />
          <p className="soft">{t('dataParse.scriptHelp')}</p>
        </>
      ) : (
        <Rules {...props} />
      )}
    </section>
  )
}
