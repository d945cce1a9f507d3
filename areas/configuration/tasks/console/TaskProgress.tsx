import { Progress } from 'antd'
import { useWords } from '../../../../console/words/words.ts'

type Props = { row: { Done: number; Failed: number; Total: number; Status: number } }
const running = 1

/** The progress of a task. */
export const TaskProgress = ({ row: { Done, Failed, Total, Status } }: Props) => {
  const t = useWords()
  return (
    <Progress
      aria-label={t('projectTask.Done')}
      size="small"
      percent={Total ? Math.round(((Done + Failed) * 100) / Total) : 0}
      status={Failed ? 'exception' : Status === running ? 'active' : 'normal'}
      format={() => `${Done} / ${Total}`}
      style={{ minWidth: 140 }}
    />
  )
}
