import { useQueryClient } from '@tanstack/react-query'
import { App } from 'antd'
import { useEffect, useRef } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { errorSeconds, refusedMs } from '../session/errors.ts'
import { onSessionEnd } from '../session/request.ts'
import { forgetSession, loginPath } from '../session/session.ts'
import { useWords } from '../words/words.ts'

/**
 * Handles the end of a session (ruling 15, specification section 8). An expired session asks first, so that people can still read
 * the screen. A displaced one goes to the login, which shows the reason. A refused one shows a message and leaves after a second.
 */
export const SessionGuard = () => {
  const t = useWords()
  const { modal, message } = App.useApp()
  const navigate = useNavigate()
  const client = useQueryClient()
  const { pathname, search } = useLocation()
  const asking = useRef(false)
  const target = useRef('')
  target.current = pathname + search

  useEffect(() => {
    const leave = (fault?: string) => {
      forgetSession()
      client.clear()
      navigate(loginPath(target.current), { replace: true, state: { fault } })
    }
    return onSessionEnd(({ kind, message: text }) => {
      if (asking.current) return
      asking.current = true
      const done = () => {
        asking.current = false
      }
      if (kind === 'over')
        modal.confirm({
          title: t('session.overTitle'),
          content: (
            <>
              {text !== t('fault.sessionOver') && <p>{text}</p>}
              <p>{t('session.overText')}</p>
            </>
          ),
          okText: t('session.again'),
          cancelText: t('cancel'),
          onOk: () => leave(),
          afterClose: done,
        })
      else {
        // The login page shows the reason, too, so that it stays readable.
        if (kind === 'refused') message.error(text, errorSeconds)
        setTimeout(
          () => {
            done()
            leave(text)
          },
          kind === 'refused' ? refusedMs : 0,
        )
      }
    })
  }, [client, message, modal, navigate, t])
  return null
}
