import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { useNavigate } from 'react-router'
import { loginPath, logout } from '../session/session.ts'

/** Signs out: empties the query cache and goes to the tenant's own login. */
export const useSignOut = () => {
  const client = useQueryClient()
  const navigate = useNavigate()
  return useCallback(async () => {
    await logout()
    client.clear()
    navigate(loginPath(), { replace: true })
  }, [client, navigate])
}
