-- Sends the bodies in a file, one per line, in turn, and counts the answers that are not 200.

local threads = {}

function setup(thread)
  table.insert(threads, thread)
end

function init(args)
  local headers = { ['Content-Type'] = 'application/x-www-form-urlencoded' }
  requests = {}
  for body in io.lines(args[1]) do
    table.insert(requests, wrk.format('POST', nil, headers, body))
  end
  sent = 0
  rejected = {}
end

function request()
  sent = sent + 1
  return requests[(sent - 1) % #requests + 1]
end

function response(status)
  if status ~= 200 then
    rejected[status] = (rejected[status] or 0) + 1
  end
end

-- The last line of standard output is for the bench; what wrk itself prints comes before.
function done(summary)
  local statuses = {}
  for _, thread in ipairs(threads) do
    for status, count in pairs(thread:get('rejected')) do
      table.insert(statuses, string.format('"%d":%d', status, count))
    end
  end
  local errors = summary.errors
  io.write(string.format(
    '{"answers":%d,"seconds":%f,"errors":%d,"rejected":{%s}}\n',
    summary.requests,
    summary.duration / 1e6,
    errors.connect + errors.read + errors.write + errors.timeout,
    table.concat(statuses, ',')
  ))
end
