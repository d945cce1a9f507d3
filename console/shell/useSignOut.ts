import { useQueryClient } from '@tanstack/react-query'
import { App } from 'antd'
import { useCallback } from 'react'
import { useNavigate } from 'react-router'
import { countWaiting } from '../offline/mark.ts'
import { loginPath, logout } from '../session/session.ts'
import { useWords } from '../words/words.ts'

/** Signs out: empties the query cache and opens the tenant's login page. Asks for confirmation while a phone has unsent steps. */
export const useSignOut = () => {
  const t = useWords()
  const { modal } = App.useApp()
  const client = useQueryClient()
  const navigate = useNavigate()
  return useCallback(async () => {
    const leave = async () => {
      await logout()
      client.clear()
      navigate(loginPath(), { replace: true })
    }
    const count = await countWaiting().catch(() => 0)
    if (!count) return leave()
    modal.confirm({
      title: t('offline.leaveTitle', { count }),
      content: t('offline.leaveText'),
      okText: t('offline.leave'),
      cancelText: t('cancel'),
      onOk: leave,
    })
  }, [client, modal, navigate, t])
}
