import { Button, QRCode, Switch as Toggle, Typography } from 'antd'
import { useState } from 'react'
import { useCall, useCommand } from '../../../../console/kernel/api.ts'
import { Failure } from '../../../../console/kernel/Empty.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { bizTypes } from '../../message-templates/contract.ts'
import { type Switch, wechatCalls } from '../contract.ts'

const columns = ['wechat', 'email', 'sms'] as const

/** A person's message types and channels, and the link to bind WeChat. */
export const MyMessages = () => {
  const t = useWords()
  const [link, setLink] = useState('')
  const { data, error, refetch } = useCall(wechatCalls.pushSetting, { of: ['userPush'] })
  const change = useCommand(wechatCalls.changePushSetting, ['userPush'])
  const grant = useCommand(wechatCalls.grantUrl)
  const untie = useCommand(wechatCalls.untie, ['userPush'])
  if (error && !data) return <Failure fault={error} retry={() => refetch()} />
  if (!data) return null
  const switches = data.Switches as Switch[]
  const isOn = (BizType: Switch['BizType'], Method: Switch['Method']) => !switches.some((s) => s.BizType === BizType && s.Method === Method)
  const where = { wechat: data.Bound ? t('message.bound') : t('message.notBound'), email: data.Email ?? '–', sms: data.Phone ?? '–' }
  return (
    <section className="panel spaced" aria-label={t('message.mine')}>
      <h2>{t('message.mine')}</h2>
      <table className="switches">
        <thead>
          <tr>
            <th scope="col">{t('almPushRecord.BizType')}</th>
            {columns.map((m) => (
              <th key={m} scope="col">
                {t(`almPushRecord.Method.${m}`)}
                <br />
                <span className="soft">{where[m]}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {bizTypes.map((BizType) => (
            <tr key={BizType}>
              <th scope="row">{t(`almPushRecord.BizType.${BizType}`)}</th>
              {columns.map((Method) => (
                <td key={Method}>
                  <Toggle
                    size="small"
                    checked={isOn(BizType, Method)}
                    aria-label={`${t(`almPushRecord.BizType.${BizType}`)}: ${t(`almPushRecord.Method.${Method}`)}`}
                    onChange={(on) => change.mutate({ body: { Switches: [{ BizType, Method, On: on ? 1 : 0 }] } })}
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <div className="button-row">
        <Button loading={grant.isPending} onClick={() => grant.mutate({}, { onSuccess: ({ Url }) => setLink(Url) })}>
          {t(data.Bound ? 'message.rebind' : 'message.bind')}
        </Button>
        {data.Bound === 1 && (
          <Button danger loading={untie.isPending} onClick={() => untie.mutate({ body: {} })}>
            {t('message.untie')}
          </Button>
        )}
      </div>
      {link && (
        <div className="stack-tight">
          <p>{t('message.open')}</p>
          <QRCode value={link} type="svg" />
          <Typography.Text copyable={{ text: link }}>{t('message.link')}</Typography.Text>
        </div>
      )}
    </section>
  )
}
