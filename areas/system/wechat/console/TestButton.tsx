import { SendOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useState } from 'react'
import { useCommand } from '../../../../console/kernel/api.ts'
import { Failure } from '../../../../console/kernel/Empty.tsx'
import { useWords } from '../../../../console/words/words.ts'
import type { Method } from '../../../../contract/channel-settings.ts'
import { Outcome } from '../../message-templates/console/Outcome.tsx'
import { wechatCalls } from '../contract.ts'

/** Tests a channel with its saved settings. */
export const TestButton = ({ method, robot }: { method: Method; robot?: number }) => {
  const t = useWords()
  const [sent, setSent] = useState<{ Id: number; Target: string }>()
  const test = useCommand(wechatCalls.test, ['almPushRecord'], { meta: { quiet: true } })
  return (
    <div className="stack-tight">
      <Button
        icon={<SendOutlined />}
        loading={test.isPending}
        onClick={() => test.mutate({ body: { Method: method, ...(robot ? { RobotId: robot } : {}) } }, { onSuccess: setSent })}
      >
        {t('channel.test')}
      </Button>
      {test.error && <Failure fault={test.error} />}
      {sent && !test.isPending && <Outcome key={sent.Id} of={sent} />}
    </div>
  )
}
