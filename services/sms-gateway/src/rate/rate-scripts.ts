/**
 * Grants slots. Each limit keeps a set of slots, scored with the latest instant at which the provider may have counted
 * the request, on Redis's clock in µs. A slot may begin one period after the slot before which `count` others were
 * granted, and is granted up to `early` before that instant. Until its call is reported, it counts some way ahead.
 *
 * KEYS: creation time, hold, a set per limit.
 * ARGV: ahead, early, id, then count and period per limit, then wanted slots and indexes of its limits per lane.
 * Returns per lane: the wait for the next slot, then the beginnings of the granted ones, all in µs from now. A slot's
 * member is `id:lane:number`, both counted from 1.
 */
export const takeScript = `
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local ahead, early, id = tonumber(ARGV[1]), tonumber(ARGV[2]), ARGV[3]
-- Redis is new or was emptied: what left in the last period, or is under way, is forgotten, so that has to pass first.
redis.call('SET', KEYS[1], now, 'NX')
local born = tonumber(redis.call('GET', KEYS[1]))
local held = now + math.max(0, redis.call('PTTL', KEYS[2])) * 1000
local limits, at = {}, 4
for index = 3, #KEYS do
  local key, count, period = KEYS[index], tonumber(ARGV[at]), tonumber(ARGV[at + 1])
  redis.call('ZREMRANGEBYSCORE', key, '-inf', now - period)
  limits[index - 2] = { key = key, count = count, period = period, size = redis.call('ZCARD', key) }
  at = at + 2
end
local lanes, results, open = {}, {}, {}
while at <= #ARGV do
  local lane, used = { wanted = tonumber(ARGV[at]) }, tonumber(ARGV[at + 1])
  for index = 1, used do lane[index] = limits[tonumber(ARGV[at + 1 + index])] end
  at = at + 2 + used
  local index = #lanes + 1
  lanes[index], results[index], open[index] = lane, { 0 }, index
end
-- One slot per lane and round, so lanes share a common limit evenly.
while #open > 0 do
  local still = {}
  for _, index in ipairs(open) do
    local lane, result, begin, isKnown = lanes[index], results[index], held, true
    for _, limit in ipairs(lane) do
      begin = math.max(begin, born + limit.period + ahead)
      local blocking = limit.size - limit.count
      if blocking >= 0 then
        local slot = redis.call('ZRANGE', limit.key, blocking, blocking, 'WITHSCORES')
        begin = math.max(begin, tonumber(slot[2]) + limit.period)
        isKnown = isKnown and tonumber(slot[2]) <= now
      end
    end
    if begin <= now + early then
      -- The first result is the wait.
      local member = id .. ':' .. index .. ':' .. #result
      for _, limit in ipairs(lane) do
        redis.call('ZADD', limit.key, begin + ahead, member)
        redis.call('PEXPIRE', limit.key, math.ceil(limit.period / 1000) + 60000)
        limit.size = limit.size + 1
      end
      result[#result + 1] = math.max(0, begin - now)
      if #result <= lane.wanted then still[#still + 1] = index end
    elseif isKnown then
      -- A slot held by an open call may be freed at any time by its report, so no wait is returned.
      result[1] = begin - now - early
    end
  end
  open = still
end
return results
`;

/**
 * Moves slots to an instant relative to now, in µs, or removes those never used. Also restores them if Redis lost its
 * data. KEYS: a set per limit. ARGV per slot: its instant or "unused", its member, the number and indexes of its limits.
 */
export const moveScript = `
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local at = 1
while at <= #ARGV do
  local instant, member, used = ARGV[at], ARGV[at + 1], tonumber(ARGV[at + 2])
  for index = 1, used do
    local key = KEYS[tonumber(ARGV[at + 2 + index])]
    if instant == 'unused' then redis.call('ZREM', key, member)
    else redis.call('ZADD', key, now + tonumber(instant), member) end
  end
  at = at + 3 + used
end
for _, key in ipairs(KEYS) do
  if redis.call('PTTL', key) == -1 then redis.call('PEXPIRE', key, 120000) end
end
`;
