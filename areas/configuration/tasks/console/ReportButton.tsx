import { DownloadOutlined } from '@ant-design/icons'
import { App, Button } from 'antd'
import { useState } from 'react'
import { download, queryString } from '../../../../console/session/request.ts'

type Props = { text: string; path: string; task: { Id: number; TaskName: string } }

/** Downloads the results of a task as a sheet. */
export const ReportButton = ({ text, path, task: { Id, TaskName } }: Props) => {
  const { message } = App.useApp()
  const [isBusy, setBusy] = useState(false)
  const take = async () => {
    setBusy(true)
    await download(`${path}${queryString({ Id })}`, `${TaskName}.xlsx`).catch((e: Error) => message.error(e.message))
    setBusy(false)
  }
  return (
    <Button icon={<DownloadOutlined />} loading={isBusy} onClick={() => void take()}>
      {text}
    </Button>
  )
}
