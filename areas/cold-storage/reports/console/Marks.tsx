import { DeleteOutlined } from '@ant-design/icons'
import { Button, Input, Select } from 'antd'
import { timeText } from '../../../../console/words/formats.ts'
import { useWords } from '../../../../console/words/words.ts'
import { mostMarks } from '../contract.ts'
import { type Draft, momentOf } from './reportDraft.ts'

type Props = { of: Draft['marks']; example: number; change: (marks: Draft['marks']) => void }

/** Tests with start and end times: door opening, power cut. */
export const Marks = ({ of, example, change }: Props) => {
  const t = useWords()
  const put = (i: number, part: Partial<Draft['marks'][number]>) => change(of.map((mark, k) => (k === i ? { ...mark, ...part } : mark)))
  const moment = (i: number, name: 'From' | 'To') => {
    const label = t(name === 'From' ? 'coldReport.StartTime' : 'coldReport.EndTime')
    const text = of[i]![name]
    return (
      <Input
        className="cold-moment figures"
        value={text}
        maxLength={19}
        placeholder={timeText(example)}
        aria-label={label}
        status={text.trim() && momentOf(text) === undefined ? 'error' : ''}
        onChange={({ target }) => put(i, { [name]: target.value })}
      />
    )
  }
  return (
    <div className="stack-tight">
      {of.map((mark, i) => (
        <div key={i} className="cold-mark">
          <Select<1 | 2>
            value={mark.Kind}
            aria-label={t('cold.paper.test')}
            options={([1, 2] as const).map((value) => ({ value, label: t(`cold.paper.mark.${value}`) }))}
            onChange={(Kind) => put(i, { Kind })}
          />
          {moment(i, 'From')}
          {moment(i, 'To')}
          <Button icon={<DeleteOutlined />} aria-label={t('button.remove')} onClick={() => change(of.filter((_, k) => k !== i))} />
        </div>
      ))}
      {of.length < mostMarks && (
        <Button className="cold-add" onClick={() => change([...of, { Kind: 1, From: '', To: '' }])}>
          {t('cold.report.addMark')}
        </Button>
      )}
    </div>
  )
}
