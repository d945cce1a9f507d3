import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { useNavigate } from 'react-router'
import { loginPath, logout } from '../session/session.ts'

/** Signs out: nothing that was read stays, and the way back is the tenant's own door. */
export const useLeave = () => {
  const client = useQueryClient()
  const navigate = useNavigate()
  return useCallback(async () => {
    await logout()
    client.clear()
    navigate(loginPath(), { replace: true })
  }, [client, navigate])
}
