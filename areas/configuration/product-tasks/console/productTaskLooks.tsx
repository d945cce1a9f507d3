import { DownloadOutlined } from '@ant-design/icons'
import { App, Button } from 'antd'
import { useState } from 'react'
import type { Shown } from '../../../../console/kernel/api.ts'
import type { DetailLooks } from '../../../../console/kernel/plainScreens.ts'
import { download, queryString } from '../../../../console/session/request.ts'
import { useWords } from '../../../../console/words/words.ts'
import { TaskProgress } from '../../tasks/console/TaskProgress.tsx'
import { type productTask, productTaskCalls } from '../contract.ts'

/** Downloads the list of serial numbers with their projects. */
const Actions = ({ row }: { row: Shown<typeof productTask> }) => {
  const t = useWords()
  const { message } = App.useApp()
  const [isBusy, setBusy] = useState(false)
  const take = async () => {
    setBusy(true)
    await download(`${productTaskCalls.sheet.path}${queryString({ Id: row.Id })}`, `${row.TaskName}.xlsx`).catch((e: Error) =>
      message.error(e.message),
    )
    setBusy(false)
  }
  return (
    <Button icon={<DownloadOutlined />} loading={isBusy} onClick={() => void take()}>
      {t('product.sheet')}
    </Button>
  )
}

const cells: DetailLooks<typeof productTask>['cells'] = { Done: (row) => <TaskProgress row={row} /> }
export const listLooks = { cells }
export const pageLooks: DetailLooks<typeof productTask> = { cells, Actions }
