import { Form, Input, Select } from 'antd'
import { useEffect, useState } from 'react'
import { useWords } from '../../../../../console/words/words.ts'
import { parse } from '../../../../../contract/expression/parse.ts'
import { idOf } from '../../../../../contract/picture/sceneReferences.ts'
import type { ParaInfo } from '../../../../../contract/telemetry.ts'

export type Points = readonly ParaInfo[]
type SourceProps = { label: string; value: string; points: Points; change: (of: string) => void }
/** Source of a value: a selected point, or an expression. */
export const Source = ({ label, value, points, change }: SourceProps) => {
  const t = useWords()
  const [text, setText] = useState(value)
  useEffect(() => setText(value), [value])
  const { flaw } = parse(text)
  // An invalid expression is not applied yet.
  const write = (next: string) => {
    setText(next)
    if (!parse(next).flaw) change(next)
  }
  const chosen = points.find(({ ParaId }) => ParaId === idOf(value))
  return (
    <Form.Item
      label={label}
      {...(flaw ? { validateStatus: 'error', help: t(`expression.${flaw.key}`, { at: flaw.at + 1, text: flaw.text }) } : {})}
    >
      <Select
        aria-label={`${label}: ${t('edit.point')}`}
        showSearch={{ optionFilterProp: 'label' }}
        placeholder={t('edit.point')}
        value={chosen?.ParaId ?? null}
        options={points.map((p) => ({ value: p.ParaId, label: `${p.DeviceName} · ${p.ParaName}` }))}
        onChange={(id) => change(`#${id}`)}
      />
      <Input
        aria-label={`${label}: ${t('edit.expression')}`}
        maxLength={1000}
        value={text}
        onChange={(event) => write(event.target.value)}
      />
    </Form.Item>
  )
}
