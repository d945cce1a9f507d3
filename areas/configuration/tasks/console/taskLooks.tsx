import { Progress } from 'antd'
import type { ListProps } from '../../../../console/kernel/ResourceList.tsx'
import type { projectTask } from '../contract.ts'

export const cells: ListProps<typeof projectTask>['cells'] = {
  Done: ({ Done, Failed, Total, Status }) => (
    <Progress
      size="small"
      percent={Total ? Math.round(((Number(Done) + Number(Failed)) * 100) / Number(Total)) : 0}
      status={Number(Failed) ? 'exception' : Status === 1 ? 'active' : 'normal'}
      format={() => `${Done} / ${Total}`}
      style={{ minWidth: 140 }}
    />
  ),
}
