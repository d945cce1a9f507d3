import { Checkbox } from 'antd'
import { useWords } from '../../../../console/words/words.ts'

/** Levels of alarms, the highest first. */
const LevelsInput = ({ value, onChange }: { value?: unknown; onChange?: (value: unknown) => void }) => {
  const t = useWords()
  return (
    <Checkbox.Group<number>
      value={value as number[]}
      onChange={(chosen) => onChange?.([...chosen].sort())}
      options={[3, 2, 1].map((level) => ({ value: level, label: t(`alarmInfo.AlarmLevel.${level}`) }))}
    />
  )
}
export default LevelsInput
